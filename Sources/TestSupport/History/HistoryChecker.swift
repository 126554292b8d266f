package import EventLog
import FoundationEssentials

/// Proves that a log and a history of its clients are consistent. Linear in the length of both.
///
/// It proves (numbered as the violations are):
/// 1. positions are gap-free, and times never go back;
/// 2. versions of every stream are contiguous;
/// 3. every acknowledged command is in the log exactly once, complete, where its answer said;
/// 4. every rejected command is not in the log, every unknown one once or not at all, and one of which nothing was sent
///    only because of another sending;
/// 5. every reader saw a piece of the log, in order, without a hole;
/// 6. a command acknowledged before another was first sent has the lower position;
/// 7. every command in the log follows the version it expected, and every reported conflict was real: by then the
///    stream had moved on;
/// 8. no checkpoint was ahead of the head or of what its model had applied;
/// 9. every event was sent, with the type, payload, actor, fingerprint and content that it has.
package struct HistoryChecker {
    /// A broken rule.
    package struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number of the rule, as above.
        package let rule: Int
        package let description: String
    }

    /// The events of one command as the log has them.
    struct Appended {
        var events: [RecordedEvent]
        var first: RecordedEvent { events[0] }
        var last: RecordedEvent { events[events.count - 1] }
    }

    let log: [RecordedEvent]
    let content: [LoggedContent]
    let history: History
    private(set) var violations: [Violation] = []
    /// By command id; more than one where a command is in the log more than once.
    var appended: [UUID: [Appended]] = [:]

    /// - Parameters:
    ///   - log: every event, in the order of positions.
    ///   - content: every row of content.
    package init(log: [RecordedEvent], content: [LoggedContent] = [], history: History) {
        self.log = log
        self.content = content
        self.history = history
    }

    /// All violations; empty for a consistent history.
    package mutating func check() -> [Violation] {
        checkPositionsAndVersions()
        groupCommands()
        checkCommands()
        checkRealTime()
        checkConflicts()
        history.readings.forEach { checkReading($0) }
        history.checkpoints.forEach { checkCheckpoint($0) }
        checkSubstance()
        return violations
    }

    mutating func report(_ rule: Int, _ text: String) {
        violations.append(Violation(rule: rule, description: "rule \(rule): \(text)"))
    }

    private mutating func checkPositionsAndVersions() {
        var versions: [UUID: Int] = [:]
        var time = Date.distantPast
        for (index, event) in log.enumerated() {
            if event.position != Int64(index) + 1 {
                report(1, "position \(event.position) is in place \(index + 1)")
            }
            if event.recordedAt < time { report(1, "the time goes back at position \(event.position)") }
            time = event.recordedAt
            let expected = (versions[event.stream] ?? 0) + 1
            if event.version != expected {
                report(2, "version \(event.version) of stream \(event.stream) follows \(expected - 1)")
            }
            versions[event.stream] = event.version
        }
    }

    /// A command's first event carries its id; the others follow it without a gap.
    private mutating func groupCommands() {
        var current: UUID?
        for event in log {
            if let command = event.command {
                appended[command, default: []].append(Appended(events: [event]))
                current = command
            } else if let command = current, var found = appended[command]?.popLast() {
                let belongs = found.last.stream == event.stream && found.last.position + 1 == event.position
                if belongs { found.events.append(event) }
                appended[command]?.append(found)
                if !belongs { reportStray(event) }
            } else {
                reportStray(event)
            }
        }
    }

    private mutating func reportStray(_ event: RecordedEvent) {
        if event.position > history.start { report(9, "the event at \(event.position) belongs to no command") }
    }
}
