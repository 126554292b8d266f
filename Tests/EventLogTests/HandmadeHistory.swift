import Crypto
import FoundationEssentials
import TestSupport

@testable import EventLog

/// A log and a history made by hand, to be broken.
struct HandmadeHistory {
    /// An event that can be changed.
    struct LoggedEvent {
        var position: Int64
        var stream: UUID
        var version: Int
        var type: String
        var command: UUID?
        var fingerprint: [UInt8]?
        var actor: UUID?
        var recordedAt: Date
        var nonce = UUID()
        var payload: String

        var recorded: RecordedEvent {
            RecordedEvent(
                position: position, stream: stream, version: version, type: type, command: command,
                fingerprint: fingerprint, actor: actor, recordedAt: recordedAt, nonce: nonce, payload: payload)
        }
    }

    var log: [LoggedEvent] = []
    var content: [LoggedContent] = []
    var history = History()
    /// In the order they were sent.
    var commands: [History.Command] = []
    /// When the next command is sent.
    var clock = ContinuousClock.now
    private let start = (ContinuousClock.now, Date())

    /// Three streams, two commands each, one of two events; one client after the other. Read and followed.
    static func sound() -> HandmadeHistory {
        var made = HandmadeHistory()
        made.history.clocks = made.start
        let first = (0..<3).map { _ in command() }
        for command in first { made.carryOut(command) }
        for (number, begun) in first.enumerated() {
            let types = Array(repeating: "SightingCorrected", count: number == 0 ? 2 : 1)
            made.carryOut(command(on: begun.stream, expecting: 1, types: types))
        }
        let seen = made.log.map { History.Reading.Seen(position: $0.position, stream: $0.stream, version: $0.version) }
        made.history.readings = [History.Reading(reader: "tail", start: 0, seen: seen)]
        made.history.checkpoints = [.init(model: "findings", position: 5, applied: 5, head: 7)]
        return made
    }

    /// A command with typed text, of which its client knows all.
    static func command(
        on stream: UUID = UUID(), expecting version: Int = 0, types: [String] = ["SightingSubmitted"]
    ) -> History.Command {
        History.Command(
            id: UUID(), stream: stream, expectedVersion: version, fingerprint: Array(repeating: 1, count: 16),
            actor: stream,
            events: types.map { type in
                .init(type: type, payload: .text(#"{"count": 1}"#), content: ["notes": "seen by \(UUID())"])
            })
    }

    /// Appends a command and acknowledges it.
    mutating func carryOut(_ command: History.Command) {
        let receipt = append(command)
        send(command, .acknowledged(position: receipt.position, version: receipt.version))
    }

    /// Records a sending and its answer.
    mutating func send(_ command: History.Command, _ answer: History.Sending.Answer) {
        history.sent(command, at: clock, answered: clock + .milliseconds(1), answer)
        commands.append(command)
        clock += .milliseconds(2)
    }

    /// Appends a command's events without anyone having sent it.
    @discardableResult
    mutating func append(_ command: History.Command) -> LoggedEvent {
        let version = log.last { $0.stream == command.stream }?.version ?? 0
        for (number, event) in command.events.enumerated() {
            guard case .text(let payload) = event.payload else { continue }
            let isFirst = number == 0
            log.append(
                LoggedEvent(
                    position: Int64(log.count) + 1, stream: command.stream, version: version + number + 1,
                    type: event.type, command: isFirst ? command.id : nil,
                    fingerprint: isFirst ? command.fingerprint : nil, actor: command.actor,
                    recordedAt: start.1 + start.0.duration(to: clock) / .seconds(1), payload: payload))
            for (field, value) in event.content {
                content.append(
                    LoggedContent(
                        stream: command.stream, field: field, position: Int64(log.count), value: value))
            }
        }
        return log[log.count - 1]
    }

    /// Changes the event at a position.
    mutating func change(_ position: Int64, _ change: (inout LoggedEvent) -> Void) {
        change(&log[Int(position) - 1])
    }

    /// Leaves a tombstone at a position, and no content.
    mutating func redact(_ position: Int64) {
        change(position) { event in
            let hash = SHA256.hash(data: event.nonce.bytes + Array(event.payload.utf8))
            let digits = hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
            event.payload = #"{"redacted": {"reason": "legal", "sha256": "\#(digits)"}}"#
        }
        content.removeAll { $0.position == position }
    }
}
