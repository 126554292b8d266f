import Bytes

/// The content of an archive's `meta.xml`.
///
/// - Source: Darwin Core text guide, https://dwc.tdwg.org/text/.
package struct ArchiveDescriptor: Sendable {
    /// Name of the file with the dataset's metadata, as written.
    package let metadataFile: String?
    /// The table in the middle.
    package let core: ArchiveTable
    /// The tables whose rows point to a row of the core.
    package let extensions: [ArchiveTable]
    /// The fault of the first extension whose description cannot be read. Such extensions are left out of
    /// ``extensions``.
    package let extensionFault: (any Error)?
}

/// One table of an archive: what its rows are, where they lie and how they are written.
package struct ArchiveTable: Sendable, Equatable {
    /// The type of a row, as a URI; nil where the descriptor leaves it out.
    package let rowType: String?
    /// Names of the files that make up the table, in order; each one has the same columns.
    package let files: [String]
    /// The declared encoding, where there is one.
    package let encoding: TextEncoding?
    /// The byte between fields; nil where the descriptor leaves it out.
    package let delimiter: UInt8?
    /// The byte around fields; nil when nothing is enclosed.
    package let quote: UInt8?
    /// What ends a row.
    package let lineEnd: DelimitedDialect.LineEnd
    /// Lines at the start of each file that hold no data.
    package let ignoredLines: Int
    /// Column of the row's id (core) or of the core row it belongs to (extension), from 0.
    package let idIndex: Int?
    /// The columns that mean something, in the descriptor's order.
    package let fields: [ArchiveField]

    /// The row type without its namespace, such as `Occurrence`. A table without one, or of the type that the text
    /// guide makes the default (`SimpleDarwinRecord`), counts as occurrences.
    package var rowTypeName: String {
        let name = rowType.map(DarwinCoreTerm.shortName) ?? "Occurrence"
        return name == "SimpleDarwinRecord" ? "Occurrence" : name
    }

    /// True when the rows are occurrences.
    package var holdsOccurrences: Bool { rowTypeName.lowercased() == "occurrence" }

    /// How many columns a row needs for all that is described.
    var neededColumns: Int {
        1 + max(idIndex ?? -1, fields.compactMap(\.index).max() ?? -1)
    }
}

extension ArchiveTable {
    /// A name for each column that is described, and for those between them.
    var columnNames: [String] {
        var names = (0..<neededColumns).map { "column \($0 + 1)" }
        if let idIndex { names[idIndex] = "id" }
        for field in fields {
            if let index = field.index { names[index] = field.name }
        }
        return names
    }
}

/// One column of an archive's table, or a value that all its rows have.
package struct ArchiveField: Sendable, Equatable {
    /// The term's identifier as written, usually a URI.
    package let term: String
    /// Column from 0; nil when all rows have the default.
    package let index: Int?
    /// The value of all rows, or with an index the value where the cell is empty.
    package let defaultValue: String?

    /// The term without its namespace.
    package var name: String { DarwinCoreTerm.shortName(of: term) }
}

/// An archive that cannot be understood.
package enum DarwinCoreArchiveError: Error, Equatable, CustomStringConvertible {
    /// `meta.xml` breaks a rule of the text guide.
    case faultyDescriptor(file: String, reason: String)
    /// There is no `meta.xml`, and not exactly one file that could be the data.
    case ambiguousData(archive: String, files: [String])
    /// The descriptor names a file that is not there.
    case missingFile(archive: String, name: String)
    /// Neither the core nor an extension holds occurrences.
    case noOccurrences(archive: String, rowTypes: [String])
    /// Occurrences extend a core of a kind that Skein cannot join.
    case unknownCore(archive: String, rowType: String)
    /// The occurrences' core has no id column, so that it cannot be joined.
    case missingID(archive: String, rowType: String)
    /// The core is too large to be joined in memory.
    case coreTooLarge(archive: String, limit: Int)

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .faultyDescriptor(let file, let reason): "\(file): \(reason)"
        case .ambiguousData(let archive, []): "\(archive) has neither a meta.xml nor a data file"
        case .ambiguousData(let archive, let files):
            "\(archive) has no meta.xml, so it must hold one data file; it holds \(files.joined(separator: ", "))"
        case .missingFile(let archive, let name): "\(archive): meta.xml names the file \"\(name)\", which is not there"
        case .noOccurrences(let archive, let rowTypes):
            "\(archive) holds no occurrences, only rows of \(rowTypes.joined(separator: ", "))"
        case .unknownCore(let archive, let rowType):
            "\(archive): occurrences that extend \(rowType) cannot be read, only those of Event and Taxon"
        case .missingID(let archive, let rowType):
            "\(archive): the rows of \(rowType) have no id column, so occurrences cannot be joined to them"
        case .coreTooLarge(let archive, let limit):
            "\(archive): the core is larger than \(limit) bytes, too large to join its occurrences to it in memory"
        }
    }
}

/// The part of a dataset's metadata document (EML) that an import needs. Nothing of it is checked.
package struct DatasetMetadata: Sendable, Equatable {
    /// The dataset's title.
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
        return link?.attributes["url"]?.trimmed ?? rights.flattenedText
    }

    private static func publisher(of dataset: MarkupElement) -> String? {
        dataset.first("publisher", "organizationName")?.flattenedText
            ?? dataset.children(named: "creator").lazy.compactMap { $0.first("organizationName")?.flattenedText }.first
    }
}
