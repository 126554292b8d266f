package import FoundationEssentials

/// A text that an account typed, as it was recorded then.
package struct WrittenText: Hashable, Sendable {
    package let recordedAt: Instant
    /// What it is about: the kind of a stream, such as `sighting`.
    package let subject: String
    /// The account's own account, sighting or photo; nil where it is about another account's.
    package let id: UUID?
    /// A ``ContentField``.
    package let field: String
    package let text: String

    package init(recordedAt: Instant, subject: String, id: UUID?, field: String, text: String) {
        (self.recordedAt, self.subject, self.id) = (recordedAt, subject, id)
        (self.field, self.text) = (field, text)
    }
}
