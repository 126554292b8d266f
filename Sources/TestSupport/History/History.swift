package import FoundationEssentials

/// The commands and answers of clients and the events that readers saw, in the order of one monotonic clock.
package struct History: Sendable {
    /// One sending of a command. A retry is a sending of its own, with the same command id.
    package struct Sending: Sendable {
        /// The client's answer.
        package enum Answer: Sendable, Hashable {
            /// Appended, now or before: the position and version of the command's last event.
            case acknowledged(position: Int64, version: Int)
            /// Not appended: the stream was at another version.
            case conflict
            /// Not appended, for another reason.
            case refused
            /// No answer, or one that guarantees nothing: the command is in the log once or not at all.
            case unknown
        }

        /// The command's id, the same in every retry.
        package var command: UUID
        /// The stream the command is for.
        package var stream: UUID
        /// The version the stream must have for the command to be appended.
        package var expectedVersion: Int
        /// How many events the command has.
        package var events: Int
        /// When it was handed over, on the clock of the client's machine.
        package var sent: ContinuousClock.Instant
        /// When the answer arrived, or the client gave up.
        package var answered: ContinuousClock.Instant
        /// The client's answer.
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

    /// The events one reader saw, in the order it saw them.
    package struct Reading: Sendable {
        /// An event as a reader saw it.
        package struct Seen: Sendable, Hashable {
            /// Its position in the log.
            package var position: Int64
            /// Its stream.
            package var stream: UUID
            /// Its version in the stream.
            package var version: Int

            package init(position: Int64, stream: UUID, version: Int) {
                self.position = position
                self.stream = stream
                self.version = version
            }
        }

        /// The reader's name in violations.
        package var reader: String
        /// The position the reader began after.
        package var start: Int64
        /// The events, in the order they came.
        package var seen: [Seen]

        /// A reading that begins after a position.
        package init(reader: String, start: Int64, seen: [Seen] = []) {
            self.reader = reader
            self.start = start
            self.seen = seen
        }
    }

    /// A model's checkpoint and the head, in one snapshot.
    package struct CheckpointSighting: Sendable, Hashable {
        package var model: String
        /// The position of its checkpoint.
        package var position: Int64
        /// The highest position whose event the model's rows show; nil where it was not looked up.
        package var applied: Int64?
        /// The highest position of the log.
        package var head: Int64

        package init(model: String, position: Int64, applied: Int64? = nil, head: Int64) {
            self.model = model
            self.position = position
            self.applied = applied
            self.head = head
        }
    }

    /// Every sending of a command.
    package var sendings: [Sending] = []
    /// The readings of all readers.
    package var readings: [Reading] = []
    /// Looks at the models' checkpoints.
    package var checkpoints: [CheckpointSighting] = []

    /// A history in which nothing has happened.
    package init() {}

    /// Adds what another client recorded. Clocks must be of one machine.
    package mutating func merge(_ other: History) {
        sendings += other.sendings
        readings += other.readings
        checkpoints += other.checkpoints
    }
}
