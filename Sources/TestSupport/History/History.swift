package import FoundationEssentials

/// What clients sent, what they were told, and what readers saw, in the order it happened on one monotonic clock.
package struct History: Sendable {
    /// One sending of a command. A retry is a sending of its own, with the same command id.
    package struct Sending: Sendable {
        package enum Answer: Sendable, Hashable {
            /// Appended, now or before: the position and version of the command's last event.
            case acknowledged(position: Int64, version: Int)
            /// Told that the stream was at another version.
            case conflict
            /// Told that it was not appended, for another reason.
            case refused
            /// No answer, or one that promises nothing: the command is in the log once or not at all.
            case unknown
        }

        package var command: UUID
        package var stream: UUID
        package var expectedVersion: Int
        package var events: Int
        package var sent: ContinuousClock.Instant
        package var answered: ContinuousClock.Instant
        package var answer: Answer

        package init(
            command: UUID, stream: UUID, expectedVersion: Int, events: Int, sent: ContinuousClock.Instant,
            answered: ContinuousClock.Instant, answer: Answer
        ) {
            self.command = command
            self.stream = stream
            self.expectedVersion = expectedVersion
            self.events = events
            self.sent = sent
            self.answered = answered
            self.answer = answer
        }
    }

    /// What one reader saw, in the order it saw it.
    package struct Reading: Sendable {
        package struct Seen: Sendable, Hashable {
            package var position: Int64
            package var stream: UUID
            package var version: Int

            package init(position: Int64, stream: UUID, version: Int) {
                self.position = position
                self.stream = stream
                self.version = version
            }
        }

        package var reader: String
        /// The position the reader began after.
        package var start: Int64
        package var seen: [Seen]

        package init(reader: String, start: Int64, seen: [Seen] = []) {
            self.reader = reader
            self.start = start
            self.seen = seen
        }
    }

    /// A look at a model's checkpoint and the head, in one snapshot.
    package struct CheckpointSighting: Sendable, Hashable {
        package var model: String
        package var position: Int64
        /// The highest position whose event the model's rows show; nil where it was not looked up.
        package var applied: Int64?
        package var head: Int64

        package init(model: String, position: Int64, applied: Int64? = nil, head: Int64) {
            self.model = model
            self.position = position
            self.applied = applied
            self.head = head
        }
    }

    package var sendings: [Sending] = []
    package var readings: [Reading] = []
    package var checkpoints: [CheckpointSighting] = []

    package init() {}

    /// Adds what another client recorded. Clocks must be of one machine.
    package mutating func merge(_ other: History) {
        sendings += other.sendings
        readings += other.readings
        checkpoints += other.checkpoints
    }
}
