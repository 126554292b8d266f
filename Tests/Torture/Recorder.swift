import FoundationEssentials
import NIOConcurrencyHelpers
import TestSupport

/// The observations of all clients and readers of a round.
final class Recorder: Sendable {
    private struct Notes {
        var history = History()
        var readings: [String: History.Reading] = [:]
        var complaints: [String] = []
        var submitted: Set<UUID> = []
    }

    private let notes = NIOLockedValueBox(Notes())

    /// Records one sending of a command.
    func sent(
        _ command: TrackedCommand, at sent: ContinuousClock.Instant, answered: ContinuousClock.Instant,
        _ answer: History.Sending.Answer
    ) {
        notes.withLockedValue { notes in
            notes.history.sendings.append(
                History.Sending(
                    command: command.id, stream: command.stream, expectedVersion: command.expectedVersion,
                    events: command.events, sent: sent, answered: answered, answer: answer))
            if command.isSubmission, case .acknowledged = answer { notes.submitted.insert(command.stream) }
        }
    }

    /// Records that a reader begins.
    func began(_ reader: String, after start: Int64) {
        notes.withLockedValue { $0.readings[reader] = History.Reading(reader: reader, start: start) }
    }

    /// Records what a reader saw next.
    func saw(_ seen: History.Reading.Seen, by reader: String) {
        notes.withLockedValue { $0.readings[reader]?.seen.append(seen) }
    }

    /// Records checkpoints and head of one snapshot.
    func saw(_ checkpoints: [History.CheckpointSighting]) {
        notes.withLockedValue { $0.history.checkpoints += checkpoints }
    }

    /// Records a violation.
    func complain(_ text: String) {
        notes.withLockedValue { $0.complaints.append(text) }
    }

    /// Everything that was sent and seen.
    var history: History {
        notes.withLockedValue { notes in
            var history = notes.history
            history.readings = Array(notes.readings.values)
            return history
        }
    }

    var complaints: [String] { notes.withLockedValue { $0.complaints } }

    /// The streams of all acknowledged submissions.
    var submitted: Set<UUID> { notes.withLockedValue { $0.submitted } }

    /// The position that each reader has reached.
    var reached: [String: Int64] {
        notes.withLockedValue { $0.readings.mapValues { $0.seen.last?.position ?? $0.start } }
    }
}

/// A command as the log will know it.
struct TrackedCommand: Sendable {
    var id: UUID
    var stream: UUID
    var expectedVersion = 0
    var events = 1
    /// Whether it begins a sighting.
    var isSubmission = false
}
