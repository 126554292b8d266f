package import JSON

/// A name of a taxon in one language.
package struct CommonName: Hashable, Sendable {
    /// The language.
    package var language: LanguageTag
    /// The name as it is written in that language.
    package var name: PublishedText

    /// Puts a name together.
    package init(language: LanguageTag, name: PublishedText) {
        self.language = language
        self.name = name
    }
}

extension CommonName: PayloadValue {
    /// Reads it from a payload.
    package init(payload: JSONValue) throws(RuleViolation) {
        self.init(language: try payload.required("language"), name: try payload.required("name"))
    }

    /// Writes it to a payload.
    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("language", language)
            writer.field("name", name)
        }
    }
}
