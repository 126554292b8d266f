/// Why a payload was redacted.
package enum RedactionReason: String, Vocabulary {
    case personalData = "personal-data"
    case legal
    case place
}

/// The payload at an earlier position of this stream was redacted.
package struct PayloadRedacted: EventPayload {
    package static let type = "PayloadRedacted"
    /// The position of the event whose payload was redacted.
    package var position: Int
    package var reason: RedactionReason

    static let shape = Shape<Self>(Self.init, .integer("position", \.position), .required("reason", \.reason))
}

extension EventEntry {
    /// The entry of ``PayloadRedacted``, which every stream may hold.
    static func redaction(_ event: @escaping @Sendable (PayloadRedacted) -> Event) -> Self {
        EventEntry(
            event, "The payload of an earlier event of this stream was removed from the log.", by: "redact",
            .restriction, history: .redacted)
    }
}

/// An event whose payload was redacted; only its type and the tombstone are left.
package struct RedactedEvent: Equatable, Sendable {
    /// The event's type, which redaction keeps.
    package let type: String
    package let tombstone: Tombstone
}

extension RedactedEvent: EventBody {
    /// Reads a redacted event; nil if the payload is intact.
    init?(_ reader: PayloadReader) throws(PayloadFault) {
        guard reader.has("redacted") else { return nil }
        self.init(type: reader.type, tombstone: try reader.required("redacted"))
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("redacted", tombstone)
    }
}

/// The remains of a redacted payload.
package struct Tombstone: PayloadObject, Equatable {
    /// Why the payload was redacted.
    package let reason: RedactionReason
    /// The SHA-256 of the event's nonce and the redacted payload.
    package let sha256: Fingerprint

    static let shape = Shape<Self>(Self.init, .required("reason", \.reason), .required("sha256", \.sha256))
}
