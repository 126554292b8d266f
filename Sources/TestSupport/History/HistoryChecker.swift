package import EventLog
import FoundationEssentials

/// Proves that a log and a history of its clients are consistent. Linear in the length of both.
///
/// It proves (numbered as the violations are):
/// 1. positions are gap-free;
/// 2. versions of every stream are contiguous;
/// 3. every acknowledged command is in the log exactly once, where its answer said;
/// 4. every unknown one is there once or not at all, every rejected one not at all;
/// 5. every reader saw a piece of the log, in order, without a hole;
/// 6. a command acknowledged before another was first sent has the lower position;
/// 7. of rivals expecting the same version of a stream at most one was appended, and every reported conflict was real;
/// 8. no checkpoint was ahead of the head or of what its model had applied.
package struct HistoryChecker {
    /// A broken rule.
    package struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number of the rule, as above.
        package let rule: Int
        package let description: String
    }

    /// Events of one command as the log has them.
    private struct Appended {
        var stream: UUID
        var first: RecordedEvent
        var last: RecordedEvent
        var count: Int
    }

    private let log: [RecordedEvent]
    private let history: History
    private var violations: [Violation] = []
    private var commands: [UUID: [Appended]] = [:]

    /// - Parameter log: every event, in the order of positions.
    package init(log: [RecordedEvent], history: History) {
        self.log = log
        self.history = history
    }

    /// All violations; empty for a consistent history.
    package mutating func check() -> [Violation] {
        checkPositionsAndVersions()
        groupCommands()
        checkCommands()
        checkRealTime()
        checkRivals()
        history.readings.forEach { checkReading($0) }
        history.checkpoints.forEach { checkCheckpoint($0) }
        return violations
    }

    private mutating func report(_ rule: Int, _ text: String) {
        violations.append(Violation(rule: rule, description: "rule \(rule): \(text)"))
    }

    private mutating func checkPositionsAndVersions() {
        var versions: [UUID: Int] = [:]
        for (index, event) in log.enumerated() {
            if event.position != Int64(index) + 1 {
                report(1, "position \(event.position) is in place \(index + 1)")
            }
            let expected = (versions[event.stream] ?? 0) + 1
            if event.version != expected {
                report(2, "version \(event.version) of stream \(event.stream) follows \(expected - 1)")
            }
            versions[event.stream] = event.version
        }
    }

    private mutating func groupCommands() {
        var current: UUID?
        for event in log {
            if let command = event.command {
                commands[command, default: []].append(
                    Appended(stream: event.stream, first: event, last: event, count: 1))
                current = command
            } else if let command = current, var last = commands[command]?.popLast() {
                if last.stream == event.stream, last.last.position + 1 == event.position {
                    last.last = event
                    last.count += 1
                }
                commands[command]?.append(last)
            }
        }
    }

    private mutating func checkCommands() {
        for (id, sendings) in Dictionary(grouping: history.sendings, by: \.command) {
            let found = commands[id] ?? []
            if found.count > 1 { report(3, "command \(id) is in the log \(found.count) times") }
            let mayBeThere = sendings.contains { $0.answer == .unknown || $0.answer.isAcknowledged }
            if !found.isEmpty && !mayBeThere { report(4, "command \(id) was rejected, but is in the log") }
            for sending in sendings { checkAcknowledgement(sending, found.first) }
        }
    }

    private mutating func checkAcknowledgement(_ sending: History.Sending, _ found: Appended?) {
        guard case .acknowledged(let position, let version) = sending.answer else { return }
        guard let found else { return report(3, "command \(sending.command) was acknowledged, but is lost") }
        if found.last.position != position || found.last.version != version || found.stream != sending.stream {
            report(
                3,
                "command \(sending.command) was told position \(position), version \(version), but is at "
                    + "\(found.last.position), \(found.last.version)")
        }
        if found.count != sending.events {
            report(3, "command \(sending.command) sent \(sending.events) events, but \(found.count) are in the log")
        }
    }

    /// Rule 6: sweeps over times, keeping the highest position acknowledged so far.
    private mutating func checkRealTime() {
        var firstSent: [UUID: ContinuousClock.Instant] = [:]
        for sending in history.sendings {
            firstSent[sending.command] = min(sending.sent, firstSent[sending.command] ?? sending.sent)
        }
        let answers = history.sendings.filter(\.answer.isAcknowledged).sorted { $0.answered < $1.answered }
        let starts = firstSent.sorted { $0.value < $1.value }
        var next = 0
        var highest: (position: Int64, command: UUID)?
        for (command, sent) in starts {
            while next < answers.count, answers[next].answered < sent {
                if let position = answers[next].answer.position, position > highest?.position ?? 0 {
                    highest = (position, answers[next].command)
                }
                next += 1
            }
            guard let highest, let own = commands[command]?.first?.first.position, own < highest.position else {
                continue
            }
            report(
                6, "command \(command) at \(own) was sent after \(highest.command) at \(highest.position) was answered")
        }
    }

    private mutating func checkRivals() {
        struct Rivalry: Hashable {
            var stream: UUID
            var expected: Int
        }
        for (rivalry, sendings) in Dictionary(
            grouping: history.sendings, by: { Rivalry(stream: $0.stream, expected: $0.expectedVersion) })
        {
            let winners = Set(sendings.map(\.command)).filter {
                commands[$0]?.contains { $0.stream == rivalry.stream && $0.first.version == rivalry.expected + 1 }
                    ?? false
            }
            if winners.count > 1 {
                report(7, "\(winners.count) rivals won version \(rivalry.expected) of \(rivalry.stream)")
            }
            let wronged = sendings.contains { $0.answer == .conflict }
            if wronged && !log.contains(where: { $0.stream == rivalry.stream && $0.version > rivalry.expected })
                && rivalry.expected == 0
            {
                report(7, "a conflict was told on stream \(rivalry.stream), which no command changed")
            }
        }
    }

    private mutating func checkReading(_ reading: History.Reading) {
        for (index, seen) in reading.seen.enumerated() {
            let position = reading.start + Int64(index) + 1
            guard seen.position == position else {
                return report(5, "reader \(reading.reader) saw \(seen.position) where \(position) was due")
            }
            guard position <= Int64(log.count) else {
                return report(5, "reader \(reading.reader) saw \(position), which the log does not have")
            }
            let event = log[Int(position) - 1]
            if event.stream != seen.stream || event.version != seen.version {
                return report(5, "reader \(reading.reader) saw another event at \(position)")
            }
        }
    }

    private mutating func checkCheckpoint(_ sighting: History.CheckpointSighting) {
        if sighting.position > sighting.head {
            report(8, "checkpoint of \(sighting.model) at \(sighting.position) is above the head \(sighting.head)")
        }
        if let applied = sighting.applied, applied > sighting.position {
            report(8, "\(sighting.model) shows \(applied), but its checkpoint says \(sighting.position)")
        }
    }
}

extension History.Sending.Answer {
    var isAcknowledged: Bool { position != nil }

    var position: Int64? {
        guard case .acknowledged(let position, _) = self else { return nil }
        return position
    }
}
