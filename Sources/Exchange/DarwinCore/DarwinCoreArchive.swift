/// A Darwin Core archive: a zip, a tar or a folder with tables, a descriptor and metadata.
///
/// What is read: archives with a `meta.xml`, in the root or in the one folder that holds everything; and archives
/// without one that hold a single data file, whose first line then names the columns. Tables may lie in several files.
/// Anything beside is left alone.
package struct DarwinCoreArchive: Sendable {
    /// Bytes that a descriptor or a metadata document may have. 8 MiB.
    package static let largestDocument = 8 << 20

    /// What `meta.xml` says; nil when there is none.
    package let descriptor: ArchiveDescriptor?
    /// Name of the only data file of an archive without `meta.xml`.
    package let simpleFile: String?

    let container: any FileContainer
    private let folder: String

    /// Opens the archive in `container` and reads its descriptor.
    ///
    /// - Throws: `DarwinCoreArchiveError`, `MarkupError`, `ArchiveError`, `FileError`, `TextEncodingError`.
    package init(container: any FileContainer) throws {
        self.container = container
        let names = container.files.map(\.name)
        if let name = try Self.descriptorName(among: names, in: container.path) {
            folder = String(name.dropLast("meta.xml".count))
            descriptor = try ArchiveDescriptorReader.read(
                container.contents(of: name, limit: Self.largestDocument), file: "\(container.path): \(name)")
            simpleFile = nil
        } else {
            let data = names.filter { !$0.lowercased().hasSuffix("eml.xml") }
            guard data.count == 1 else {
                throw DarwinCoreArchiveError.ambiguousData(archive: container.path, files: data)
            }
            folder = data[0].lastIndex(of: "/").map { String(data[0][...$0]) } ?? ""
            (descriptor, simpleFile) = (nil, data[0])
        }
    }

    /// The rows of a table, in the order of its files and of the rows in them. Fields are to be asked for by the
    /// indices of the table's description; a row may have fewer fields, or more.
    ///
    /// - Throws: `DarwinCoreArchiveError.missingFile`, and what reading throws.
    package func rows(of table: ArchiveTable, limits: DelimitedLimits = .init()) throws -> TableReader {
        let names = try table.files.map { try existing($0) }
        let container = container
        return TableReader(files: names.map { ($0, container.readingSize(of: $0)) }) { name, rowsBefore in
            let dialect = try Self.inspect(name, of: table, in: container)
            return DelimitedReader(
                source: try container.openText(name), file: "\(container.path): \(name)", dialect: dialect.dialect,
                encoding: dialect.encoding, ignoredLines: table.ignoredLines, rowsBefore: rowsBefore, limits: limits)
        }
    }

    /// The dataset's metadata, from the file that the descriptor names, else `eml.xml` in any case; nil when it is
    /// not there.
    ///
    /// - Throws: `MarkupError`, `TextEncodingError`, `ArchiveError`, `FileError`.
    package func metadata() throws -> DatasetMetadata? {
        let wanted = (folder + (descriptor?.metadataFile ?? "eml.xml")).lowercased()
        guard let name = container.files.map(\.name).first(where: { $0.lowercased() == wanted }) else { return nil }
        return try DatasetMetadata(
            eml: container.contents(of: name, limit: Self.largestDocument), file: "\(container.path): \(name)")
    }

    /// `meta.xml` in the root, else in the only folder that has one.
    private static func descriptorName(among names: [String], in path: String) throws -> String? {
        if names.contains("meta.xml") { return "meta.xml" }
        let nested = names.filter { $0.hasSuffix("/meta.xml") && $0.split(separator: "/").count == 2 }
        guard nested.count <= 1 else { throw DarwinCoreArchiveError.ambiguousData(archive: path, files: nested) }
        return nested.first
    }

    private func existing(_ name: String) throws -> String {
        let full = EntryName.accepted(folder + name)
        guard let full, container.files.contains(where: { $0.name == full }) else {
            throw DarwinCoreArchiveError.missingFile(archive: container.path, name: name)
        }
        return full
    }

    private static func inspect(
        _ name: String, of table: ArchiveTable, in container: any FileContainer
    ) throws -> (dialect: DelimitedDialect, encoding: TextEncoding) {
        let inspection = try TextInspection(of: container.openText(name), declared: table.encoding)
        let sniffer = DialectSniffer(sample: inspection.sample, sampleIsWhole: inspection.sampleIsWhole, file: name)
        let delimiter =
            table.delimiter ?? sniffer.delimiter(forColumns: table.neededColumns, quote: table.quote)
        return (
            DelimitedDialect(delimiter: delimiter, quote: table.quote, lineEnd: table.lineEnd), inspection.encoding
        )
    }
}

/// The rows of an archive's core by id, in memory, for joining occurrences that extend them.
struct CoreRows {
    /// Memory that the rows may take. 64 MiB.
    static let memoryLimit = 64 << 20

    private var rows: [String: DelimitedRow] = [:]
    /// Ids of several different rows, so that it is unknown which one is meant.
    private var ambiguous: Set<String> = []

    /// Reads the whole core. Rows with a fault are left out: their extension rows are then rejected, one by one.
    ///
    /// - Throws: `DarwinCoreArchiveError.missingID`, `.coreTooLarge`, and what reading throws.
    init(of archive: DarwinCoreArchive, core: ArchiveTable, memoryLimit: Int = memoryLimit) throws {
        let path = archive.container.path
        guard let idIndex = core.idIndex else {
            throw DarwinCoreArchiveError.missingID(archive: path, rowType: core.rowTypeName)
        }
        let reader = try archive.rows(of: core)
        var memory = 0
        while let record = try reader.next() {
            guard case .row(let row) = record, !row.isEmpty(idIndex) else { continue }
            let id = row[idIndex]
            if let other = rows[id] {
                if !other.hasSameFields(as: row) { ambiguous.insert(id) }
                continue
            }
            rows[id] = row.compacted()
            memory += row.memorySize + id.utf8.count
            guard memory <= memoryLimit else {
                throw DarwinCoreArchiveError.coreTooLarge(archive: path, limit: memoryLimit)
            }
        }
    }

    /// The core row with this id.
    /// - Throws: `RowFault.unknownCore`, `.repeatedCore`.
    func row(_ id: String) throws(RowFault) -> DelimitedRow {
        guard let row = rows[id] else { throw .unknownCore(id: id) }
        guard !ambiguous.contains(id) else { throw .repeatedCore(id: id) }
        return row
    }
}
