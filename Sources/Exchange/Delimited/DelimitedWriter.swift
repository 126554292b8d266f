/// Writes rows as delimited text with double quotes: the same rows always give the same bytes.
///
/// A field is quoted only where reading it back needs that: when it holds the delimiter, a quote, CR or LF, begins or
/// ends with a space, begins like a byte order mark, or is the only field of its row and empty.
///
/// - Source: RFC 4180.
package struct DelimitedWriter: Sendable {
    /// What is written after each row.
    package enum LineEnd: Sendable {
        /// As RFC 4180 has it.
        case carriageReturnLineFeed
        case lineFeed
    }

    private static let quote = UInt8(ascii: "\"")

    private let delimiter: UInt8
    private let lineEnd: [UInt8]

    /// A writer with an ASCII delimiter, by default of comma-separated values with CRLF.
    package init(delimiter: UInt8 = UInt8(ascii: ","), lineEnd: LineEnd = .carriageReturnLineFeed) {
        self.delimiter = delimiter
        self.lineEnd = lineEnd == .lineFeed ? [0x0A] : [0x0D, 0x0A]
    }

    /// Appends one row, with its line end, to `buffer`.
    package func append(_ fields: some Collection<String>, to buffer: inout [UInt8]) {
        var isFirst = true
        for field in fields {
            if !isFirst { buffer.append(delimiter) }
            isFirst = false
            append(field, isAlone: fields.count == 1, to: &buffer)
        }
        buffer.append(contentsOf: lineEnd)
    }

    private func append(_ field: String, isAlone: Bool, to buffer: inout [UInt8]) {
        guard needsQuotes(field.utf8, isAlone: isAlone) else {
            buffer.append(contentsOf: field.utf8)
            return
        }
        buffer.append(Self.quote)
        for byte in field.utf8 {
            if byte == Self.quote { buffer.append(Self.quote) }
            buffer.append(byte)
        }
        buffer.append(Self.quote)
    }

    private func needsQuotes(_ field: String.UTF8View, isAlone: Bool) -> Bool {
        guard let first = field.first, let last = field.last else { return isAlone }
        let space = UInt8(ascii: " ")
        if first == space || last == space || first == ByteOrderMark.utf8[0] { return true }
        return field.contains { $0 == delimiter || $0 == Self.quote || $0 == 0x0A || $0 == 0x0D }
    }
}

/// The file that lists the rejected rows and the reasons for the sender: CSV with the columns
/// `row,line,file,reason,detail` and after them the row as it was sent, column for column.
///
/// It is made when the first row is rejected, so that none is left behind when all are fine.
package final class RejectedRowsFile {
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
    package func append(_ rejection: RejectedRow, file: String) throws {
        try append(
            row: rejection.number, line: rejection.line, file: file, reason: rejection.fault.code,
            detail: rejection.fault.description, fields: rejection.fields)
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
