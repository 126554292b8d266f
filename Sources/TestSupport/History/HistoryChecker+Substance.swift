import Crypto
import EventLog
import FoundationEssentials
import JSON

// Rule 9: the log contains exactly what was sent.
extension HistoryChecker {
    mutating func checkSubstance() {
        let rows = Dictionary(grouping: content, by: \.position)
        for (id, found) in appended {
            guard let command = history.commands[id] else {
                reportUnsent(found)
                continue
            }
            for one in found {
                checkOrigin(of: one, command)
                for (event, sent) in zip(one.events, command.events) {
                    check(event, rows[event.position] ?? [], sent)
                }
            }
        }
    }

    /// Events that no client sent are from before the test, or of a type that others append.
    private mutating func reportUnsent(_ found: [Appended]) {
        for event in found.flatMap(\.events)
        where event.position > history.start && !(event.actor == nil && history.otherTypes.contains(event.type)) {
            report(9, "no client sent the \(event.type) at \(event.position)")
        }
    }

    private mutating func checkOrigin(of found: Appended, _ command: History.Command) {
        if let fingerprint = command.fingerprint, found.first.fingerprint != fingerprint {
            report(9, "command \(command.id) has another fingerprint")
        }
        for event in found.events where event.actor != command.actor {
            report(9, "the event at \(event.position) has another actor than command \(command.id)")
        }
    }

    private mutating func check(
        _ event: RecordedEvent, _ rows: [LoggedContent], _ sent: History.Command.Event
    ) {
        if event.type != sent.type { report(9, "the event at \(event.position) was sent as \(sent.type)") }
        if history.redacted.contains(event.position) { return checkRedacted(event, rows, sent) }
        switch sent.payload {
        case .text(let text):
            if event.payload != text { report(9, "the event at \(event.position) has another payload") }
        case .members(let members):
            let found = try? JSONValue(parsing: Array(event.payload.utf8))
            for (name, value) in members where found?[name] != value {
                report(9, "the event at \(event.position) has another \(name)")
            }
        }
        checkContent(at: event, rows, sent)
    }

    private mutating func checkContent(
        at event: RecordedEvent, _ rows: [LoggedContent], _ sent: History.Command.Event
    ) {
        if history.erased.contains(event.stream) || event.actor.map(history.erased.contains) == true {
            if !rows.isEmpty { report(9, "the event at \(event.position) has content of an erased account") }
            return
        }
        let found = Dictionary(rows.map { ($0.field, $0.value) }, uniquingKeysWith: { first, _ in first })
        var isOther = sent.content.contains { field, value in found[field] != .some(value) }
        // A client that knows the whole payload knows all of the content.
        if case .text = sent.payload { isOther = isOther || found.count != sent.content.count }
        if isOther || rows.contains(where: { $0.stream != event.stream }) {
            report(9, "the event at \(event.position) has other content")
        }
    }

    /// A tombstone names the hash of nonce and payload; the content has gone.
    private mutating func checkRedacted(
        _ event: RecordedEvent, _ rows: [LoggedContent], _ sent: History.Command.Event
    ) {
        let tombstone = try? JSONValue(parsing: Array(event.payload.utf8))
        let hash = tombstone?["redacted"]?["sha256"]?.string
        if hash == nil { report(9, "the event at \(event.position) was redacted, but has its payload") }
        if case .text(let text) = sent.payload, hash != Self.hash(of: text, event.nonce) {
            report(9, "the tombstone at \(event.position) names the hash of another payload")
        }
        if !rows.isEmpty { report(9, "the event at \(event.position) was redacted, but has its content") }
    }

    private static func hash(of payload: String, _ nonce: UUID) -> String {
        var bytes = withUnsafeBytes(of: nonce.uuid) { Array($0) }
        bytes += Array(payload.utf8)
        let digits = Array("0123456789abcdef")
        return SHA256.hash(data: bytes).reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}
