/// What a data set's metadata document (EML) says about it, as far as an import needs it. Nothing of it is checked.
package struct DatasetMetadata: Sendable, Equatable {
    /// The data set's title.
    package let title: String?
    /// The licence: its URL where the document links to one, else its text.
    package let licence: String?
    /// The organisation that publishes it: the publisher, else the first creator that is an organisation.
    package let publisher: String?
    /// How it wants to be cited.
    package let citation: String?

    /// Reads an EML document; `file` is its name for messages.
    ///
    /// - Throws: `MarkupError`; `TextEncodingError.unsupported`.
    /// - Source: Ecological Metadata Language 2.1.1 and 2.2.0; GBIF metadata profile 1.2 (`citation`).
    package init(eml document: [UInt8], file: String) throws {
        let root = try MarkupParser.parse(document, file: file)
        let dataset = root.first("dataset")
        title = dataset?.first("title")?.flattenedText
        licence = dataset.flatMap(Self.licence)
        publisher = dataset.flatMap(Self.publisher)
        citation =
            root.children(named: "additionalMetadata").lazy
            .compactMap { $0.first("metadata", "gbif", "citation")?.flattenedText }.first
    }

    private static func licence(of dataset: MarkupElement) -> String? {
        if let url = dataset.first("licensed", "url")?.flattenedText { return url }
        if let name = dataset.first("licensed", "licenseName")?.flattenedText { return name }
        guard let rights = dataset.first("intellectualRights") else { return nil }
        let link = rights.first("para", "ulink") ?? rights.first("ulink")
        return link?.attributes["url"]?.trimmingSpaces() ?? rights.flattenedText
    }

    private static func publisher(of dataset: MarkupElement) -> String? {
        dataset.first("publisher", "organizationName")?.flattenedText
            ?? dataset.children(named: "creator").lazy.compactMap { $0.first("organizationName")?.flattenedText }.first
    }
}
