package import JSON

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

    package init(position: Int, reason: RedactionReason) {
        self.position = position
        self.reason = reason
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        position = try reader.integer("position")
        reason = try reader.required("reason")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("position", integer: position)
        writer.field("reason", reason)
    }

    static let description = EventDescription(
        type, "The payload of an earlier event of this stream was taken out of the log.", by: "redact", .restriction,
        history: .redacted)
}

/// An event whose payload was redacted; only its type and the tombstone are left.
package struct RedactedEvent: Equatable, Sendable {
    /// The event's type, which redaction keeps.
    package let type: String
    /// Why its payload was redacted.
    package let reason: RedactionReason
    /// The SHA-256 of the event's nonce and the redacted payload.
    package let sha256: Fingerprint

    package init(type: String, reason: RedactionReason, sha256: Fingerprint) {
        self.type = type
        self.reason = reason
        self.sha256 = sha256
    }

    /// Reads a redacted event; nil if the payload is intact.
    init?(_ reader: PayloadReader) throws(PayloadFault) {
        guard let tombstone = reader.redaction else { return nil }
        do throws(RuleViolation) {
            let reason: RedactionReason = try tombstone.required("reason")
            self.init(type: reader.type, reason: reason, sha256: try tombstone.required("sha256"))
        } catch {
            throw .member(type: reader.type, name: "redacted", error)
        }
    }

    func write(fields writer: inout PayloadWriter) {
        writer.field("redacted", self)
    }
}

extension RedactedEvent: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        self.init(type: "", reason: try payload.required("reason"), sha256: try payload.required("sha256"))
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("reason", reason)
            writer.field("sha256", sha256)
        }
    }
}
