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
        var looks = 0
        var exports = 0
    }

    private let notes = NIOLockedValueBox(Notes())

    /// Records one sending of a command.
    func sent(
        _ command: History.Command, at sent: ContinuousClock.Instant, answered: ContinuousClock.Instant,
        _ answer: History.Sending.Answer
    ) {
        notes.withLockedValue { notes in
            notes.history.sent(command, at: sent, answered: answered, answer)
            if command.events[0].type == "SightingSubmitted", answer.isAcknowledgement {
                notes.submitted.insert(command.stream)
            }
        }
    }

    /// Records the head before the first client begins.
    func begins(at head: Int64) {
        notes.withLockedValue { notes in
            notes.history.start = head
            notes.history.clocks = (.now, Date())
        }
    }

    /// Records that others than the clients append, and what one of them redacts.
    func expects(others types: Set<String>, redacted position: Int64? = nil) {
        notes.withLockedValue { notes in
            notes.history.otherTypes.formUnion(types)
            if let position { notes.history.redacted.insert(position) }
        }
    }

    /// Records that an account leaves. Its sightings are no findings any more.
    /// - Parameter sightings: all that it has submitted.
    func leaves(_ account: UUID, sightings: Set<UUID>) {
        notes.withLockedValue { notes in
            notes.history.erased.insert(account)
            notes.history.otherTypes.formUnion(["PhotoDeleted", "SightingWithdrawn"])
            notes.submitted.subtract(sightings)
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
        notes.withLockedValue { notes in
            notes.history.checkpoints += checkpoints
            notes.looks += 1
        }
    }

    /// Records that an export was downloaded and is what it says.
    func downloadedExport() {
        notes.withLockedValue { $0.exports += 1 }
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

    /// How often the checkpoints were read.
    var looks: Int { notes.withLockedValue { $0.looks } }

    /// The number of exports that were downloaded.
    var exports: Int { notes.withLockedValue { $0.exports } }

    var complaints: [String] { notes.withLockedValue { $0.complaints } }

    /// The streams of all acknowledged submissions.
    var submitted: Set<UUID> { notes.withLockedValue { $0.submitted } }

    /// The position that each reader has reached.
    var reached: [String: Int64] {
        notes.withLockedValue { $0.readings.mapValues { $0.seen.last?.position ?? $0.start } }
    }
}
