import Bytes

/// Reads a table of delimited text row after row, in constant memory.
///
/// Belongs to one task. Rows with a fault come as `.refused` between the others; only what makes the rest of the file
/// unreadable is thrown.
package final class DelimitedReader {
    private static let bufferSize = 256 * 1024

    private let source: any ByteSource
    private let file: String
    private let encoding: TextEncoding
    private let hasDecimalCommas: Bool
    /// The most fields that a row may have: those that the header names.
    private var mostFields = Int.max
    private var scanner: RowScanner
    private var buffer = [UInt8](repeating: 0, count: bufferSize)
    private var position = 0
    private var filled = 0
    private var hasStarted = false
    private var isFinished = false
    private var number: Int

    /// A reader of `source`, which is at its start; a UTF-8 byte order mark is passed over.
    ///
    /// - Parameters:
    ///   - file: name for messages.
    ///   - ignoredLines: physical lines to pass over before the first row.
    ///   - rowsBefore: where counting starts: rows of files read before this one.
    package init(
        source: any ByteSource, file: String, dialect: DelimitedDialect, encoding: TextEncoding,
        ignoredLines: Int = 0, rowsBefore: Int = 0, limits: DelimitedLimits = .init()
    ) {
        (self.source, self.file, self.encoding) = (source, file, encoding)
        hasDecimalCommas = dialect.hasDecimalCommas
        number = rowsBefore
        scanner = RowScanner(dialect: dialect, limits: limits, ignoredLines: ignoredLines, file: file)
    }

    /// How much of the file has been read.
    package var progress: ByteProgress { source.progress }

    /// How many rows have been read, rejected ones included, with those before this file.
    package var rowCount: Int { number }

    /// Takes the next row as column names. Later rows with more fields are rejected; in rows with fewer, the missing
    /// ones are empty (Excel leaves them out). Spaces around names are removed; a column without a name is called
    /// `column N`.
    ///
    /// - Throws: `DelimitedError.missingHeader`, `.faultyHeader`, `.duplicateColumn`, and what `next()` throws.
    package func readHeader() throws -> [String] {
        guard try advance() else { throw DelimitedError.missingHeader(file: file) }
        if let fault = scanner.row.fault ?? contentFault() {
            throw DelimitedError.faultyHeader(file: file, fault: fault)
        }
        let names = currentRow().fields.enumerated().map { index, field in
            let name = field.trimmed
            return name.isEmpty ? "column \(index + 1)" : name
        }
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            throw DelimitedError.duplicateColumn(file: file, name: name)
        }
        mostFields = names.count
        return names
    }

    /// The next row; nil at the end of the file.
    ///
    /// - Throws: `DelimitedError` when it is not known where rows end, and what the source throws.
    package func next() throws -> DelimitedRecord? {
        guard try advance() else { return nil }
        number += 1
        if let fault = scanner.row.fault ?? contentFault() ?? shapeFault() { return .rejected(currentRejection(fault)) }
        return .row(currentRow())
    }

    /// Scans one row; false at the end.
    private func advance() throws -> Bool {
        if !hasStarted { try start() }
        scanner.beginRow()
        while true {
            if position < filled, try scan() { return true }
            if isFinished { return false }
            try fill(keeping: 0)
            if filled == 0 {
                isFinished = true
                return try scanner.finish()
            }
        }
    }

    /// Takes what is in the buffer; true when a row is complete. After an error there are no more rows.
    private func scan() throws -> Bool {
        do {
            return try buffer.withUnsafeBufferPointer {
                try scanner.scan(UnsafeBufferPointer(rebasing: $0[..<filled]), position: &position)
            }
        } catch {
            (position, isFinished) = (filled, true)
            throw error
        }
    }

    /// Reads as many bytes as tell whether there is a byte order mark.
    private func start() throws {
        hasStarted = true
        let mark = ByteOrderMark.utf8
        repeat {
            let before = filled
            try fill(keeping: before)
            if filled == before { break }
        } while filled < mark.count
        if buffer[..<filled].starts(with: mark) { position = mark.count }
    }

    private func fill(keeping kept: Int) throws {
        let count = try buffer.withUnsafeMutableBytes { try source.read(into: .init(rebasing: $0[kept...])) }
        (position, filled) = (0, kept + count)
    }

    private func currentRow() -> DelimitedRow {
        DelimitedRow(
            number: number, line: scanner.rowLine, bytes: scanner.row.bytes, fieldEnds: scanner.row.fieldEnds,
            encoding: encoding, hasDecimalCommas: hasDecimalCommas)
    }

    private func currentRejection(_ fault: RowFault) -> RejectedRow {
        let fields = currentRow().fields.map { String($0.map { $0 == "\0" ? "\u{FFFD}" : $0 }) }
        return RejectedRow(number: number, line: scanner.rowLine, fault: fault, fields: fields)
    }

    private func shapeFault() -> RowFault? {
        let actual = scanner.row.fieldEnds.count
        return actual <= mostFields ? nil : .ragged(most: mostFields, actual: actual)
    }

    /// NUL and invalid bytes. Nearly every row is plain ASCII, which one pass without branches shows.
    private func contentFault() -> RowFault? {
        var (highBits, hasNul) = (UInt8(0), false)
        for byte in scanner.row.bytes {
            highBits |= byte
            hasNul = hasNul || byte == 0
        }
        guard hasNul || highBits >= 0x80 else { return nil }
        if hasNul, let offset = scanner.row.bytes.firstIndex(of: 0) { return .nul(column: column(at: offset)) }
        // Field by field: half a character at the end of one must not be completed by the next.
        var start = 0
        for (index, end) in scanner.row.fieldEnds.enumerated() {
            let isInvalid = scanner.row.bytes.withUnsafeBufferPointer {
                encoding.firstInvalidOffset(UnsafeBufferPointer(rebasing: $0[start..<Int(end)])) != nil
            }
            if isInvalid { return .invalidBytes(column: index + 1, encoding: encoding) }
            start = Int(end)
        }
        return nil
    }

    private func column(at offset: Int) -> Int {
        (scanner.row.fieldEnds.firstIndex { Int($0) > offset } ?? 0) + 1
    }
}

/// The rows of a table that lies in one file or in several with the same columns, one after another.
package final class TableReader {
    /// Opens a file by name; the second argument is how many rows came before.
    typealias Opening = (_ file: String, _ rowsBefore: Int) throws -> DelimitedReader

    private let files: [(name: String, size: Int)]
    private let opening: Opening
    private var index = 0
    private var reader: DelimitedReader?
    private var rowsBefore = 0

    /// A reader of `files` with their sizes on disk in bytes; `current` is the first of them, if it is open already.
    init(files: [(name: String, size: Int)], current: DelimitedReader? = nil, opening: @escaping Opening) {
        (self.files, self.opening, reader) = (files, opening, current)
    }

    /// Name of the file that the last row came from.
    package var currentFile: String {
        files.indices.contains(index) ? files[index].name : files.last?.name ?? ""
    }

    /// How much of all the files has been read.
    package var progress: ByteProgress {
        let finished = files[..<index].reduce(0) { $0 + $1.size }
        return ByteProgress(
            consumed: finished + (reader?.progress.consumed ?? 0), total: files.reduce(0) { $0 + $1.size })
    }

    /// The next row; nil after the last of all files.
    ///
    /// - Throws: what opening and reading the files throws.
    package func next() throws -> DelimitedRecord? {
        while index < files.count {
            let current = try reader ?? opening(files[index].name, rowsBefore)
            reader = current
            if let record = try current.next() { return record }
            rowsBefore = current.rowCount
            reader = nil
            index += 1
        }
        return nil
    }
}
