package import Domain

/// What was typed into one stream, as of a position: of each field its newest version at or below it.
package struct StreamContent: Hashable, Sendable {
    /// The version that counts, by field. A field that was cleared is here with a nil value; one never written, or
    /// erased, is not.
    package private(set) var versions: [ContentField: ContentVersion] = [:]

    /// A stream into which nothing was typed.
    package init() {}

    /// The text of a field; nil when it was never written, was cleared, or was erased.
    package subscript(field: ContentField) -> String? {
        versions[field]?.value
    }

    /// Takes a version in, unless a newer one of its field is there.
    package mutating func add(_ version: ContentVersion) {
        if let known = versions[version.field], known.position >= version.position { return }
        versions[version.field] = version
    }
}
