import FoundationEssentials
import TestSupport
import Testing

@testable import EventLog

struct HistoryCheckerTests {
    private let origin = ContinuousClock.now
    private let streams = (0..<3).map { _ in UUID() }

    /// Three streams, two commands each, one with two events; one client after the other.
    private func soundPair() -> (log: [RecordedEvent], history: History) {
        var log: [RecordedEvent] = []
        var history = History()
        var clock = origin
        for round in 0..<2 {
            for (index, stream) in streams.enumerated() {
                let command = UUID()
                let count = round == 1 && index == 0 ? 2 : 1
                let expected = log.filter { $0.stream == stream }.count
                for number in 1...count {
                    log.append(event(log.count + 1, stream, expected + number, number == 1 ? command : nil))
                }
                history.sendings.append(
                    History.Sending(
                        command: command, stream: stream, expectedVersion: expected, events: count, sent: clock,
                        answered: clock + .milliseconds(1),
                        answer: .acknowledged(position: Int64(log.count), version: expected + count)))
                clock += .milliseconds(2)
            }
        }
        let seen = log.map { History.Reading.Seen(position: $0.position, stream: $0.stream, version: $0.version) }
        history.readings = [History.Reading(reader: "tail", start: 0, seen: seen)]
        history.checkpoints = [History.CheckpointSighting(model: "findings", position: 5, applied: 5, head: 7)]
        return (log, history)
    }

    private func event(_ position: Int, _ stream: UUID, _ version: Int, _ command: UUID?) -> RecordedEvent {
        RecordedEvent(
            position: Int64(position), stream: stream, version: version, type: "SightingSubmitted", command: command,
            fingerprint: command == nil ? nil : Array(repeating: 0, count: 16), actor: nil,
            recordedAt: Date(timeIntervalSince1970: Double(position)), nonce: UUID(), payload: "{}")
    }

    private func rules(_ change: (inout [RecordedEvent], inout History) -> Void) -> Set<Int> {
        var (log, history) = soundPair()
        change(&log, &history)
        var checker = HistoryChecker(log: log, history: history)
        return Set(checker.check().map(\.rule))
    }

    @Test func `nothing where nothing is wrong`() {
        #expect(rules { _, _ in } == [])
    }

    @Test func `a hole in the positions`() {
        #expect(rules { log, _ in log.remove(at: 2) }.isSuperset(of: [1, 3]))
    }

    @Test func `versions out of step`() {
        #expect(rules { log, _ in log[3] = event(4, log[3].stream, 7, log[3].command) }.contains(2))
    }

    @Test func `an acknowledged command that is lost`() {
        let found = rules { _, history in
            history.sendings[0].command = UUID()
        }
        #expect(found == [3])
    }

    @Test(arguments: [true, false])
    func `a command that is there twice, acknowledged or unknown`(acknowledged: Bool) {
        let found = rules { log, history in
            let stream = UUID()
            log.append(event(log.count + 1, stream, 1, history.sendings[0].command))
            if !acknowledged { history.sendings[0].answer = .unknown }
        }
        #expect(found.contains(3))
    }

    @Test func `a refused command that is in the log`() {
        #expect(rules { _, history in history.sendings[1].answer = .refused } == [4])
    }

    @Test func `an answer that names the wrong position`() {
        #expect(rules { _, history in history.sendings[1].answer = .acknowledged(position: 6, version: 1) }.contains(3))
    }

    @Test func `nothing wrong with an unknown command, there or not`() {
        let found = rules { _, history in
            history.sendings[1].answer = .unknown
            var other = history.sendings[2]
            other.command = UUID()
            other.stream = UUID()
            other.answer = .unknown
            history.sendings.append(other)
        }
        #expect(found == [])
    }

    @Test(arguments: 0..<3)
    func `a reader that skipped, went back, or saw what is not there`(kind: Int) {
        let found = rules { _, history in
            switch kind {
            case 0: history.readings[0].seen.remove(at: 3)
            case 1: history.readings[0].seen.swapAt(1, 2)
            default:
                history.readings[0].seen.append(History.Reading.Seen(position: 8, stream: UUID(), version: 1))
            }
        }
        #expect(found == [5])
    }

    @Test func `a command answered before another was sent, yet placed after it`() {
        let found = rules { _, history in
            history.sendings[4].sent = origin - .milliseconds(20)
            history.sendings[4].answered = origin - .milliseconds(10)
        }
        #expect(found == [6])
    }

    @Test func `two rivals that both won`() {
        let found = rules { log, history in
            let rival = UUID()
            log[3] = event(4, streams[0], 1, rival)
            history.sendings[3].command = rival
            history.sendings[3].expectedVersion = 0
        }
        #expect(found.contains(7))
    }

    @Test(arguments: [true, false])
    func `a checkpoint ahead of the head, or behind what its rows show`(ahead: Bool) {
        let found = rules { _, history in
            history.checkpoints[0].position = ahead ? 9 : 4
        }
        #expect(found == [8])
    }
}
