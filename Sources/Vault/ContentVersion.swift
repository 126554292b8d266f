package import Domain

/// What one event wrote to one field of its stream.
package struct ContentVersion: Hashable, Sendable {
    /// The field.
    package let field: ContentField
    /// Position of the event that wrote it.
    package let position: Int64
    /// What was typed; nil: cleared by its author.
    package let value: String?

    /// Describes a version.
    package init(field: ContentField, position: Int64, value: String?) {
        self.field = field
        self.position = position
        self.value = value
    }
}
