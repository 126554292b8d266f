import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import EventLog

struct HistoryCheckerTests {
    @Test func `nothing where nothing is wrong`() {
        #expect(rules { _ in } == [])
    }

    // MARK: - The log by itself

    @Test func `a hole in the positions`() {
        #expect(rules { $0.log.remove(at: 2) }.isSuperset(of: [1, 3]))
    }

    @Test func `a time that goes back`() {
        let found = rules { made in
            made.change(3) { event in event.recordedAt -= 5 }
            made.history.clocks = nil
        }
        #expect(found == [1])
    }

    @Test func `versions out of step`() {
        #expect(rules { $0.change(3) { event in event.version = 7 } }.contains(2))
    }

    // MARK: - Outcomes

    @Test func `an acknowledged command that is lost`() {
        #expect(rules { $0.send(HandmadeHistory.command(), .acknowledged(position: nil, version: 1)) } == [3])
    }

    @Test(arguments: [true, false])
    func `a command that is there twice, acknowledged or unknown`(acknowledged: Bool) {
        let found = rules { made in
            var again = made.commands[0]
            again.stream = UUID()
            made.append(again)
            if !acknowledged { made.history.sendings[0].answer = .unknown }
        }
        #expect(found.contains(3))
    }

    @Test func `an answer that names the wrong position`() {
        #expect(rules { $0.history.sendings[1].answer = .acknowledged(position: 6, version: 1) } == [3])
    }

    @Test func `a command without its last event`() {
        #expect(rules { $0.history.commands[$0.commands[3].id]?.events.removeLast() } == [3])
    }

    @Test(arguments: [History.Sending.Answer.rejected, .conflict])
    func `a command in the log that was rejected`(answer: History.Sending.Answer) {
        #expect(rules { $0.history.sendings[1].answer = answer }.contains(4))
    }

    /// The look-up of repeated commands is broken on streams that exist.
    @Test func `a repeated command told of a conflict`() {
        let found = rules { made in
            made.history.sendings[4].answer = .unknown
            made.send(made.commands[4], .conflict)
        }
        #expect(found.contains(4))
    }

    @Test func `nothing wrong with an unknown command, there or not`() {
        let found = rules { made in
            made.history.sendings[1].answer = .unknown
            made.send(HandmadeHistory.command(), .unknown)
        }
        #expect(found == [])
    }

    @Test func `a command in the log of which nothing was sent`() {
        #expect(rules { $0.history.sendings[1].answer = .unsent } == [4])
    }

    @Test(arguments: [true, false])
    func `a command recorded by a sending that did nothing`(isUnknown: Bool) {
        let found = rules { made in
            made.history.sendings[1].answer = isUnknown ? .unknown : .unsent
            made.clock += .seconds(5)
            made.send(made.commands[1], .acknowledged(position: 2, version: 1))
        }
        #expect(found == (isUnknown ? [] : [4]))
    }

    @Test func `a command answered before another was sent, yet placed after it`() {
        let found = rules { made in
            made.history.sendings[4].sent -= .milliseconds(20)
            made.history.sendings[4].answered -= .milliseconds(20)
            made.history.clocks = nil
        }
        #expect(found == [6])
    }

    /// No expected version is compared: both rivals are appended, one after the other.
    @Test func `two rivals that both won`() {
        let found = rules { made in
            let stream = made.commands[0].stream
            made.carryOut(HandmadeHistory.command(on: stream, expecting: 1))
        }
        #expect(found == [7])
    }

    @Test(arguments: [0, 1])
    func `a conflict on a stream that nobody changed`(version: Int) {
        let found = rules { made in
            let command = HandmadeHistory.command(expecting: version)
            if version == 1 { made.carryOut(HandmadeHistory.command(on: command.stream)) }
            made.send(command, .conflict)
        }
        #expect(found == [7])
    }

    @Test func `a conflict told before the stream changed`() {
        let found = rules { made in
            let rival = HandmadeHistory.command()
            made.send(HandmadeHistory.command(on: rival.stream), .conflict)
            made.carryOut(rival)
        }
        #expect(found == [7])
    }

    @Test func `nothing wrong with a conflict that was real`() {
        let found = rules { made in
            made.send(HandmadeHistory.command(on: made.commands[0].stream, expecting: 1), .conflict)
        }
        #expect(found == [])
    }

    // MARK: - What was sent

    @Test func `an event that nobody sent`() {
        #expect(rules { $0.append(HandmadeHistory.command()) } == [9])
    }

    @Test func `nothing wrong with an event of the setting, or of a kind that others append`() {
        let found = rules { made in
            made.append(HandmadeHistory.command())
            made.history.start = 8
            var other = HandmadeHistory.command(types: ["TaxonAdded"])
            other.actor = nil
            made.append(other)
            made.history.otherTypes = ["TaxonAdded"]
        }
        #expect(found == [])
    }

    @Test func `an event without a command on another stream`() {
        let found = rules { made in
            made.append(HandmadeHistory.command())
            made.change(8) { event in (event.command, event.fingerprint) = (nil, nil) }
        }
        #expect(found == [9])
    }

    @Test(arguments: 0..<6)
    func `an event with another type, payload, actor, fingerprint or content`(kind: Int) {
        let found = rules { made in
            switch kind {
            case 0: made.change(2) { event in event.type = "SightingWithdrawn" }
            case 1: made.change(2) { event in event.payload = #"{"count": 3}"# }
            case 2: made.change(2) { event in event.actor = nil }
            case 3: made.change(2) { event in event.fingerprint = Array(repeating: 9, count: 16) }
            case 4: made.content.removeFirst()
            default: made.content.append(LoggedContent(stream: made.log[1].stream, field: "x", position: 2, value: nil))
            }
        }
        #expect(found == [9])
    }

    @Test func `the content of two commands swapped`() {
        let found = rules { made in
            (made.content[0].value, made.content[1].value) = (made.content[1].value, made.content[0].value)
        }
        #expect(found == [9])
    }

    @Test(arguments: ["count", "state"])
    func `a member that the client did not send`(member: String) {
        let found = rules { made in
            made.history.commands[made.commands[0].id]?.events[0].payload = .members([member: .integer(1)])
        }
        #expect(found == (member == "count" ? [] : [9]))
    }

    @Test(arguments: [true, false])
    func `a redacted event that keeps its payload and content`(keeps: Bool) {
        let found = rules { made in
            made.history.redacted = [2]
            if !keeps { made.redact(2) }
        }
        #expect(found == (keeps ? [9] : []))
    }

    @Test func `a tombstone of another payload`() {
        let found = rules { made in
            made.history.redacted = [2]
            made.change(2) { event in event.payload = #"{"count": 5}"# }
            made.redact(2)
        }
        #expect(found == [9])
    }

    // MARK: - What was seen

    @Test(arguments: 0..<3)
    func `a reader that skipped, went back, or saw what is not there`(kind: Int) {
        let found = rules { made in
            switch kind {
            case 0: made.history.readings[0].seen.remove(at: 3)
            case 1: made.history.readings[0].seen.swapAt(1, 2)
            default:
                made.history.readings[0].seen.append(.init(position: 8, stream: UUID(), version: 1))
            }
        }
        #expect(found == [5])
    }

    @Test(arguments: [true, false])
    func `a checkpoint ahead of the head, or behind what its rows show`(ahead: Bool) {
        #expect(rules { $0.history.checkpoints[0].position = ahead ? 9 : 4 } == [8])
    }

    /// The rules that a sound history breaks after a change.
    private func rules(_ change: (inout HandmadeHistory) -> Void) -> Set<Int> {
        var made = HandmadeHistory.sound()
        change(&made)
        var checker = HistoryChecker(log: made.log.map(\.recorded), content: made.content, history: made.history)
        return Set(checker.check().map(\.rule))
    }
}
