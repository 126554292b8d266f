package import FoundationEssentials
package import JSON

/// The commands and answers of clients and the events that readers saw, in the order of one monotonic clock.
package struct History: Sendable {
    /// A command as its client means it. Sent once or more often, with the same id.
    package struct Command: Sendable {
        /// An event as the client knows it.
        package struct Event: Sendable {
            /// The part of a payload that the client knows.
            package enum Payload: Sendable, Hashable {
                /// All of it.
                case text(String)
                /// Some of its members; the service adds others.
                case members([String: JSONValue])
            }

            package var type: String
            package var payload: Payload
            /// The typed text of each field; nil: cleared. Complete if the payload is.
            package var content: [String: String?]

            package init(type: String, payload: Payload, content: [String: String?] = [:]) {
                self.type = type
                self.payload = payload
                self.content = content
            }
        }

        package var id: UUID
        package var stream: UUID
        /// The version the stream must have for the command to be appended.
        package var expectedVersion: Int
        /// nil: the client does not know it.
        package var fingerprint: [UInt8]?
        /// The deciding account; nil for none.
        package var actor: UUID?
        package var events: [Event]

        package init(
            id: UUID, stream: UUID, expectedVersion: Int = 0, fingerprint: [UInt8]? = nil, actor: UUID?,
            events: [Event]
        ) {
            self.id = id
            self.stream = stream
            self.expectedVersion = expectedVersion
            self.fingerprint = fingerprint
            self.actor = actor
            self.events = events
        }
    }

    /// One sending of a command. A retry is a sending of its own.
    package struct Sending: Sendable {
        /// The client's answer.
        package enum Answer: Sendable, Hashable {
            /// Appended, now or before: the version of the command's last event, and its position if the answer has it.
            case acknowledged(position: Int64?, version: Int)
            /// Not appended: the stream was at another version.
            case conflict
            /// Not appended, for another reason that will not pass.
            case rejected
            /// This sending did nothing; others of the command may have.
            case unsent
            /// No answer, or one that guarantees nothing: the command is in the log once or not at all.
            case unknown
        }

        /// The command's id.
        package var command: UUID
        /// When it was handed over, on the clock of the client's machine.
        package var sent: ContinuousClock.Instant
        /// When the answer arrived, or the client gave up.
        package var answered: ContinuousClock.Instant
        package var answer: Answer

        package init(
            command: UUID, sent: ContinuousClock.Instant, answered: ContinuousClock.Instant, answer: Answer
        ) {
            self.command = command
            self.sent = sent
            self.answered = answered
            self.answer = answer
        }
    }

    /// The events one reader saw, in the order it saw them.
    package struct Reading: Sendable {
        /// An event as a reader saw it.
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

    /// Every command that was sent.
    package var commands: [UUID: Command] = [:]
    /// Every sending of a command.
    package var sendings: [Sending] = []
    /// The readings of all readers.
    package var readings: [Reading] = []
    /// Looks at the models' checkpoints.
    package var checkpoints: [CheckpointSighting] = []
    /// The head before the first client began; the events up to it need no sending.
    package var start: Int64 = 0
    /// Types of events that the system and the operator append beside the clients.
    package var otherTypes: Set<String> = []
    /// Positions whose payload and content were redacted.
    package var redacted: Set<Int64> = []
    /// Accounts that were erased, with everything that they typed.
    package var erased: Set<UUID> = []
    /// One moment on the clients' clock and on the database's, which must be of one machine.
    package var clocks: (monotonic: ContinuousClock.Instant, wall: Date)?

    /// A history in which nothing has happened.
    package init() {}

    /// Records one sending of a command.
    package mutating func sent(
        _ command: Command, at sent: ContinuousClock.Instant, answered: ContinuousClock.Instant,
        _ answer: Sending.Answer
    ) {
        commands[command.id] = command
        sendings.append(Sending(command: command.id, sent: sent, answered: answered, answer: answer))
    }
}

extension History.Sending.Answer {
    /// Whether it says that the command is in the log.
    package var isAcknowledgement: Bool {
        if case .acknowledged = self { true } else { false }
    }

    /// Whether the command may be in the log because of this sending.
    var mayHaveAppended: Bool { isAcknowledgement || self == .unknown }
}
