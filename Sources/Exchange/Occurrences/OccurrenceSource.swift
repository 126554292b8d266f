/// Occurrences from any file that Skein reads: CSV, TSV and the like, plain or gzip; Darwin Core archives as zip, tar,
/// tgz or folder. One header of Darwin Core terms, one stream of rows, in constant memory.
///
/// Belongs to one task. What is what is told by content, not by file name (`ContainerKind`, `TextInspection`,
/// `DialectSniffer`).
package final class OccurrenceSource {
    /// Settings of the caller.
    package struct Options: Sendable {
        /// Columns given a term.
        package var columns = ColumnMapping.none
        /// The encoding, where it is known; otherwise it is told from the file. Archives declare their own.
        package var encoding: TextEncoding?
        /// Delimiter and quotes, where they are known. Archives with a descriptor declare their own.
        package var dialect: DelimitedDialect?
        /// How large a row may be.
        package var rowLimits = DelimitedLimits()
        /// How far a compressed file may expand.
        package var archiveLimits = ArchiveLimits()

        /// Everything is told from the file.
        package init() {}
    }

    /// What kind of file it is.
    package let kind: ContainerKind
    /// The columns, each with the term it stands for.
    package var columns: [SourceColumn] { layout.columns }
    /// Headings of the fields that rows have in their file, rejected ones too; in an archive the terms' short names,
    /// and `column N` for fields that its descriptor does not name.
    package let fileColumns: [String]
    /// The dataset's metadata, where an archive has it.
    package let metadata: DatasetMetadata?

    private let reader: TableReader
    private let layout: OccurrenceLayout
    private let join: Join?

    /// The core that occurrences extend, and the field of theirs with its id.
    struct Join {
        let core: CoreRows
        let idIndex: Int
    }

    init(
        kind: ContainerKind, fileColumns: [String], reader: TableReader, layout: OccurrenceLayout, join: Join? = nil,
        metadata: DatasetMetadata?
    ) {
        (self.kind, self.fileColumns, self.metadata) = (kind, fileColumns, metadata)
        (self.reader, self.layout, self.join) = (reader, layout, join)
    }

    /// Opens the file or folder at `path`.
    ///
    /// - Throws: `FileError`, `ArchiveError` for what cannot be read; `TextEncodingError`, `DelimitedError`,
    ///   `MarkupError`, `DarwinCoreArchiveError` for what cannot be understood; `ColumnMappingError` for columns;
    ///   `OccurrenceSourceError.noTerms` when no column is a term.
    package static func open(_ path: String, options: Options = .init()) throws -> OccurrenceSource {
        let kind = try ContainerKind(path: path, limits: options.archiveLimits)
        let opener = OccurrenceSourceOpener(
            kind: kind, container: try kind.open(path, limits: options.archiveLimits), options: options)
        return try opener.open()
    }

    /// How much of the file has been read.
    package var progress: ByteProgress { reader.progress }

    /// The next row; nil at the end. Rows whose fields are all empty are skipped.
    ///
    /// - Throws: `DelimitedError` when it is not known where rows end; `ArchiveError`, `FileError` when the file is
    ///   damaged further on.
    package func next() throws -> OccurrenceRecord? {
        while let record = try reader.next() {
            switch record {
            case .rejected(let rejection): return .rejected(rejection, file: reader.currentFile)
            case .row(let row) where row.isBlank: continue
            case .row(let row): return occurrence(of: row)
            }
        }
        return nil
    }

    private func occurrence(of row: DelimitedRow) -> OccurrenceRecord {
        guard let join else {
            return .occurrence(OccurrenceRow(row: row, core: nil, file: reader.currentFile, layout: layout))
        }
        do {
            let core = try join.core.row(row[join.idIndex])
            return .occurrence(OccurrenceRow(row: row, core: core, file: reader.currentFile, layout: layout))
        } catch {
            let rejection = RejectedRow(number: row.number, line: row.line, fault: error, fields: row.fields)
            return .rejected(rejection, file: reader.currentFile)
        }
    }
}

/// A file without anything that could be an occurrence.
package enum OccurrenceSourceError: Error, Equatable, CustomStringConvertible {
    /// No column's heading is a Darwin Core term.
    case noTerms(file: String, columns: [String])

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .noTerms(let file, let columns):
            "\(file): none of the columns is a Darwin Core term (\(columns.joined(separator: ", "))); "
                + "say which stand for which with theirs=ours"
        }
    }
}
