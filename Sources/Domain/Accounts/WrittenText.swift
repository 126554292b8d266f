package import FoundationEssentials

/// A text that an account typed, as it was recorded then.
package struct WrittenText: Hashable, Sendable {
    package let recordedAt: Instant
    /// The kind of the stream that it belongs to, such as `sighting`.
    package let subject: String
    /// The stream, if it is the account itself, or a sighting or photo of its own; nil if it is another account's.
    package let id: UUID?
    /// A ``ContentField``.
    package let field: String
    package let text: String

    package init(recordedAt: Instant, subject: String, id: UUID?, field: String, text: String) {
        (self.recordedAt, self.subject, self.id) = (recordedAt, subject, id)
        (self.field, self.text) = (field, text)
    }
}
