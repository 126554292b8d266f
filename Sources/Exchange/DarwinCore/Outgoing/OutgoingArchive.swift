/// Writes a Darwin Core archive: an occurrence core, the extensions that have rows, a descriptor and metadata. The same
/// occurrences and metadata always give the same bytes.
///
/// Tables are spooled to files, so that the memory does not grow with the rows; the files are removed when the archive
/// and what ``finish(_:)`` returned are released. Belongs to one task.
///
/// - Source: Darwin Core text guide, https://dwc.tdwg.org/text/.
package final class OutgoingArchive {
    /// What GBIF requires of each row.
    private static let required: [OccurrenceColumn] = [.occurrenceID, .basisOfRecord, .scientificName, .eventDate]

    /// Occurrences written so far.
    package private(set) var rows = 0
    /// Occurrences left out because they have no scientific name.
    package private(set) var unidentified = 0
    /// Occurrences left out because another required term is missing.
    package private(set) var incomplete = 0
    /// How many control characters became spaces in what was written.
    package private(set) var replacedCharacters = 0

    private static let columns = OccurrenceColumn.allCases.indices

    private let folder: String
    private let core: SpooledFile
    private var media: SpooledFile?
    private var identifications: SpooledFile?
    private var measurements: SpooledFile?
    private var hashes: SpooledFile?
    private var line: [UInt8] = []

    /// Begins an archive.
    /// - Parameter folder: where the tables are spooled; it exists, and nothing else writes to it.
    /// - Throws: `FileError`.
    package init(in folder: String) throws {
        self.folder = folder
        core = try SpooledFile(OutgoingTable.occurrences.file, in: folder)
        try core.append { OutgoingTable.occurrences.appendHeadings(to: &$0) }
    }

    /// Bytes spooled so far; the archive will have a little more.
    package var size: Int {
        [core, media, identifications, measurements, hashes].reduce(0) { $0 + ($1?.size ?? 0) }
    }

    /// Adds an occurrence with its rows in the extensions, or leaves out both if a required term is missing.
    /// - Throws: `FileError.cannotWrite`.
    package func append(
        _ occurrence: OutgoingOccurrence, media: [OutgoingMedia] = [],
        identifications: [OutgoingIdentification] = [], measurements: [OutgoingMeasurement] = [],
        hashes: [OutgoingFileHash] = []
    ) throws {
        if let missing = Self.required.first(where: { occurrence.bytes(of: $0).isEmpty }) {
            if missing == .scientificName { unidentified += 1 } else { incomplete += 1 }
            return
        }
        let id = occurrence.bytes(of: .occurrenceID)
        rows += 1
        replacedCharacters += occurrence.replacedCharacters
        try core.append { bytes in
            bytes.append(contentsOf: id)
            for index in Self.columns {
                bytes.append(UInt8(ascii: "\t"))
                bytes.append(contentsOf: occurrence.bytes(at: index))
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        try append(media, of: id, to: &self.media)
        try append(identifications, of: id, to: &self.identifications)
        try append(measurements, of: id, to: &self.measurements)
        try append(hashes, of: id, to: &self.hashes)
    }

    /// Ends the tables, and adds descriptor and metadata. Nothing may be appended afterwards.
    /// - Throws: `FileError`.
    package func finish(_ metadata: ArchiveMetadata) throws -> FinishedArchive {
        let extensions: [(OutgoingTable, SpooledFile?)] = [
            (OutgoingMedia.table, media), (OutgoingIdentification.table, identifications),
            (OutgoingMeasurement.table, measurements), (OutgoingFileHash.table, hashes),
        ]
        let present = extensions.filter { $0.1 != nil }
        let descriptor = try file("meta.xml") {
            OutgoingTable.occurrences.descriptor(extensions: present.map(\.0), metadata: ArchiveMetadata.file)
        }
        let document = try file(ArchiveMetadata.file) { metadata.document() }
        let files = [descriptor, document, core] + present.compactMap(\.1)
        for file in files { try file.close() }
        return FinishedArchive(files)
    }

    /// Appends rows to an extension, which is begun with its first row.
    private func append<Row: ExtensionRow>(
        _ rows: [Row], of id: ArraySlice<UInt8>, to file: inout SpooledFile?
    ) throws {
        guard !rows.isEmpty else { return }
        let table = try file ?? begin(Row.table)
        file = table
        for row in rows {
            line.removeAll(keepingCapacity: true)
            line.append(contentsOf: id)
            for value in row.values {
                line.append(UInt8(ascii: "\t"))
                let start = line.count
                if let value { line.append(contentsOf: value.utf8) }
                replacedCharacters += ControlCharacters.replace(in: &line, from: start)
            }
            line.append(UInt8(ascii: "\n"))
            try table.append { $0.append(contentsOf: line) }
        }
    }

    private func begin(_ table: OutgoingTable) throws -> SpooledFile {
        let file = try SpooledFile(table.file, in: folder)
        try file.append { table.appendHeadings(to: &$0) }
        return file
    }

    private func file(_ name: String, _ content: () -> [UInt8]) throws -> SpooledFile {
        let file = try SpooledFile(name, in: folder)
        try file.append { $0.append(contentsOf: content()) }
        return file
    }
}
