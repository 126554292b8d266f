package import FoundationEssentials

/// The events of one decision, to be recorded all or not at all.
package struct AppendCommand: Sendable {
    /// An event to be recorded.
    package struct Event: Sendable, Hashable {
        package var type: String
        /// A JSON object. Every value in it must survive PostgreSQL's cast to `jsonb`.
        package var payload: String
        /// Text that a person typed, stored beside the log under the event's position.
        package var content: [Content]

        package init(type: String, payload: String, content: [Content] = []) {
            self.type = type
            self.payload = payload
            self.content = content
        }
    }

    /// One field of typed content.
    package struct Content: Sendable, Hashable {
        package var field: String
        /// nil: cleared by its author.
        package var value: String?

        package init(field: String, value: String?) {
            self.field = field
            self.value = value
        }
    }

    /// A value that only one stream may hold at a time, such as an e-mail address.
    package struct Reservation: Sendable, Hashable {
        /// The kind of value; equal values of different kinds do not collide.
        package var kind: String
        /// SHA-256 of the reserved value.
        package var digest: [UInt8]

        package init(kind: String, digest: [UInt8]) {
            self.kind = kind
            self.digest = digest
        }
    }

    /// The stream the events go to.
    package var stream: UUID
    /// The kind of the stream, such as `sighting`; used for a new stream only.
    package var kind: String
    /// The version the stream must have; 0: it must be new.
    package var expectedVersion: Int
    /// The command's id; a retry has the same one.
    package var id: UUID
    /// 16 bytes that distinguish a retry from another request with the same id.
    package var fingerprint: [UInt8]
    /// The deciding account; nil for the system and the operator.
    package var actor: UUID?
    /// At least one.
    package var events: [Event]
    /// Values that the stream reserves; the command is rejected if another stream holds one.
    package var reservations: [Reservation]

    package init(
        stream: UUID, kind: String, expectedVersion: Int, id: UUID, fingerprint: [UInt8], actor: UUID?,
        events: [Event], reservations: [Reservation] = []
    ) {
        self.stream = stream
        self.kind = kind
        self.expectedVersion = expectedVersion
        self.id = id
        self.fingerprint = fingerprint
        self.actor = actor
        self.events = events
        self.reservations = reservations
    }

    /// Roughly what the command weighs on the wire, in bytes.
    package var byteCount: Int {
        events.reduce(into: 128) { sum, event in
            sum += 96 + event.payload.utf8.count
            for content in event.content { sum += 48 + content.field.utf8.count + (content.value?.utf8.count ?? 0) }
        }
    }
}

/// Version and position of a command's events, after the commit.
package struct AppendReceipt: Sendable, Hashable {
    /// The stream's version after the command's last event.
    package let version: Int
    /// The position of the command's last event.
    package let position: Int64
    /// When the events were recorded.
    package let recordedAt: Date
    /// The command was a duplicate; version and position are those of the first outcome.
    package private(set) var isRepeat: Bool

    init(version: Int, position: Int64, recordedAt: Date, isRepeat: Bool) {
        self.version = version
        self.position = position
        self.recordedAt = recordedAt
        self.isRepeat = isRepeat
    }

    /// The receipt of a duplicate that waited for this outcome.
    var asRepeat: AppendReceipt {
        var receipt = self
        receipt.isRepeat = true
        return receipt
    }
}
