package import FoundationEssentials
package import HTTPTypes

/// The client's key for one request that changes something: a retry with it returns the first outcome.
package struct IdempotencyKey: Hashable, Sendable {
    package let uuid: UUID

    /// Reads the key of a request: a UUID in either case, with or without the quotes that a structured field has.
    /// - Throws: `ProblemDetails` if it is missing, repeated or not a UUID.
    package init(_ headers: HTTPFields) throws(ProblemDetails) {
        let values = headers[values: .idempotencyKey]
        guard let first = values.first else { throw ProblemDetails(.idempotencyKeyRequired) }
        guard values.count == 1, let uuid = Self.uuid(first) else {
            throw .header(.idempotencyKey, "must be one UUID")
        }
        self.uuid = uuid
    }

    /// Reads a key from a body.
    package init?(text: String) {
        guard let uuid = Self.uuid(text) else { return nil }
        self.uuid = uuid
    }

    private static func uuid(_ text: String) -> UUID? {
        let isQuoted = text.utf8.count == 38 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return UUID(uuidString: isQuoted ? String(text.dropFirst().dropLast()) : text)
    }
}
