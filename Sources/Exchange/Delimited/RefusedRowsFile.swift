/// The file that lists the rejected rows and the reasons for the sender: CSV with the columns
/// `row,line,file,reason,detail` and after them the row as it was sent, column for column.
///
/// It is made when the first row is rejected, so that none is left behind when all are fine.
package final class RefusedRowsFile {
    private let path: String
    private let columns: [String]
    private let writer = DelimitedWriter()
    private var sink: FileByteSink?

    /// How many rows have been written.
    package private(set) var count = 0

    /// A file to be made at `path` for rows of a file with these columns.
    package init(path: String, columns: [String]) {
        (self.path, self.columns) = (path, columns)
    }

    /// Writes one row. `reason` is a code, the same for all rows rejected for it; `detail` is for people.
    ///
    /// - Throws: `FileError.cannotOpen`, `.cannotWrite`.
    package func append(row: Int, line: Int, file: String, reason: String, detail: String, fields: [String]) throws {
        let sink = try openSink()
        try sink.append { writer.append([String(row), String(line), file, reason, detail] + fields, to: &$0) }
        count += 1
    }

    /// Writes a row that the reader itself rejected.
    ///
    /// - Throws: `FileError.cannotOpen`, `.cannotWrite`.
    package func append(_ refusal: RefusedRow, file: String) throws {
        try append(
            row: refusal.number, line: refusal.line, file: file, reason: refusal.fault.code,
            detail: refusal.fault.description, fields: refusal.fields)
    }

    /// Ends the file, if there is one.
    ///
    /// - Throws: `FileError.cannotWrite`.
    package func close() throws {
        try sink?.close()
    }

    private func openSink() throws -> FileByteSink {
        if let sink { return sink }
        let sink = try FileByteSink(creating: path)
        try sink.append { writer.append(["row", "line", "file", "reason", "detail"] + columns, to: &$0) }
        self.sink = sink
        return sink
    }
}
