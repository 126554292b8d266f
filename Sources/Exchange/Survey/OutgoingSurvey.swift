/// Writes a survey: tables of visits, of their records, and of taxa whose absence must not be derived. The same rows
/// always give the same bytes.
///
/// Tables are spooled to files, so that the memory does not grow with the rows; the files are removed when the survey
/// and what ``finish()`` returned are released. Belongs to one task.
package final class OutgoingSurvey {
    /// The number of control characters that became spaces.
    package private(set) var replacedCharacters = 0

    private let writer = DelimitedWriter()
    private let files: [SurveyTable: SpooledFile]

    /// Begins a survey.
    /// - Parameter folder: where the tables are spooled; it exists, and nothing else writes to it.
    /// - Throws: `FileError`.
    package init(in folder: String) throws {
        var files: [SurveyTable: SpooledFile] = [:]
        for table in SurveyTable.allCases {
            let file = try SpooledFile(table.file, in: folder)
            try file.append { [writer] in writer.append(table.columns.map(\.name), to: &$0) }
            files[table] = file
        }
        self.files = files
    }

    /// Bytes spooled so far; the archive will have a little more.
    package var size: Int { files.values.reduce(0) { $0 + $1.size } }

    /// Adds a row to a table.
    /// - Parameter values: those of the table's columns, in their order; nil for an unknown one.
    /// - Throws: `FileError.cannotWrite`.
    package func append(_ values: [String?], to table: SurveyTable) throws {
        let fields = values.map { value -> String in
            guard let value else { return "" }
            var bytes = Array(value.utf8)
            let replaced = ControlCharacters.replace(in: &bytes)
            guard replaced > 0 else { return value }
            replacedCharacters += replaced
            return String(decoding: bytes, as: UTF8.self)
        }
        try files[table]?.append { writer.append(fields, to: &$0) }
    }

    /// Ends the tables. Nothing may be appended afterwards.
    /// - Throws: `FileError`.
    package func finish() throws -> FinishedArchive {
        let files = SurveyTable.allCases.compactMap { self.files[$0] }
        for file in files { try file.close() }
        return FinishedArchive(files)
    }
}
