/// One row of a table: valid text in every field, and no more fields than the table has columns.
///
/// The fields stay bytes until they are asked for. A row that has been dropped before the next is read gives its memory
/// back to the reader, so that reading needs no allocation a row.
package struct DelimitedRow: Sendable {
    /// The row's number among the table's data rows, from 1, the header not counted.
    package let number: Int
    /// The physical line, from 1, in which the row begins.
    package let line: Int
    private let bytes: [UInt8]
    private let fieldEnds: [Int32]
    private let encoding: TextEncoding
    /// Whether the row's numbers may have a decimal comma.
    package let hasDecimalCommas: Bool

    /// A row of fields that lie in `bytes`, each up to its end in `fieldEnds`, valid in `encoding`.
    init(
        number: Int, line: Int, bytes: [UInt8], fieldEnds: [Int32], encoding: TextEncoding, hasDecimalCommas: Bool
    ) {
        (self.number, self.line) = (number, line)
        (self.bytes, self.fieldEnds, self.encoding) = (bytes, fieldEnds, encoding)
        self.hasDecimalCommas = hasDecimalCommas
    }

    /// How many fields there are.
    package var count: Int { fieldEnds.count }

    /// Whether all fields are empty, as in the ",,," with which spreadsheets fill up a table.
    var isBlank: Bool { bytes.isEmpty }

    /// Whether another row of the table has the same fields.
    func hasSameFields(as other: DelimitedRow) -> Bool {
        bytes == other.bytes && fieldEnds == other.fieldEnds
    }

    /// The text of a field, counted from 0; empty for a field beyond the last.
    package subscript(index: Int) -> String {
        withBytes(of: index) { encoding.repairedText($0) }
    }

    /// True for a field without any byte, and beyond the last.
    package func isEmpty(_ index: Int) -> Bool {
        range(of: index).isEmpty
    }

    /// The field's bytes in the file's encoding, unquoted: the fast way for numbers. The buffer is valid inside `body`.
    package func withBytes<Result>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
        -> Result
    {
        let range = range(of: index)
        return try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// All fields as text.
    package var fields: [String] {
        (0..<count).map { self[$0] }
    }

    /// The same row in no more memory than it needs, for keeping.
    func compacted() -> DelimitedRow {
        DelimitedRow(
            number: number, line: line, bytes: Array(bytes[...]), fieldEnds: Array(fieldEnds[...]), encoding: encoding,
            hasDecimalCommas: hasDecimalCommas)
    }

    /// Bytes of memory that a compacted row takes, roughly.
    var memorySize: Int {
        MemoryLayout<DelimitedRow>.size + bytes.count + fieldEnds.count * MemoryLayout<Int32>.size + 2 * 32
    }

    private func range(of index: Int) -> Range<Int> {
        guard fieldEnds.indices.contains(index) else { return 0..<0 }
        let start = index == 0 ? 0 : Int(fieldEnds[index - 1])
        return start..<Int(fieldEnds[index])
    }
}

/// A row that is not taken over, with what is needed to tell its sender.
package struct RejectedRow: Sendable, Equatable {
    /// The row's number among the table's data rows, from 1, the header not counted.
    package let number: Int
    /// The physical line, from 1, in which the row begins.
    package let line: Int
    /// Why it is rejected.
    package let fault: RowFault
    /// Its fields as far as they could be read; invalid bytes and NUL are U+FFFD.
    package let fields: [String]
}

/// The next item of a table's reader.
package enum DelimitedRecord: Sendable {
    /// A row as expected.
    case row(DelimitedRow)
    /// A row that must not be used.
    case rejected(RejectedRow)
}

/// Why one row is rejected while the rows around it are read. Columns count from 1.
package enum RowFault: Error, Equatable, CustomStringConvertible {
    /// The row has more fields than its table has columns.
    case ragged(most: Int, actual: Int)
    /// A byte that means nothing in the file's encoding.
    case invalidBytes(column: Int, encoding: TextEncoding)
    /// A NUL character, which no PostgreSQL text can hold.
    case nul(column: Int)
    /// A quoted field goes on after its closing quote, most often because quotes inside it were not doubled.
    case textAfterClosingQuote(column: Int)
    /// An unquoted field of more than `limit` bytes.
    case fieldTooLong(column: Int, limit: Int)
    /// More than `limit` fields.
    case tooManyColumns(limit: Int)
    /// More than `limit` bytes in all.
    case rowTooLong(limit: Int)
    /// In an archive whose occurrences extend a core: no core row has this id.
    case unknownCore(id: String)
    /// In an archive whose occurrences extend a core: several core rows with different values have this id.
    case repeatedCore(id: String)

    /// The kind of fault, the same for all rows that have it: for counting.
    package var code: String {
        switch self {
        case .ragged: "ragged-row"
        case .invalidBytes: "invalid-bytes"
        case .nul: "nul-character"
        case .textAfterClosingQuote: "text-after-closing-quote"
        case .fieldTooLong: "field-too-long"
        case .tooManyColumns: "too-many-columns"
        case .rowTooLong: "row-too-long"
        case .unknownCore: "unknown-core-id"
        case .repeatedCore: "repeated-core-id"
        }
    }

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .ragged(let most, let actual): "\(actual) fields where at most \(most) are expected"
        case .invalidBytes(let column, let encoding):
            "column \(column) is not valid \(encoding.rawValue), the encoding of the file; save it again as UTF-8 from "
                + "the program that it comes from, or correct this value"
        case .nul(let column): "column \(column) holds a NUL character"
        case .textAfterClosingQuote(let column):
            "column \(column) goes on after its closing quote; a quote inside a value is written twice"
        case .fieldTooLong(let column, let limit): "column \(column) is longer than \(limit) bytes"
        case .tooManyColumns(let limit): "more than \(limit) columns"
        case .rowTooLong(let limit): "longer than \(limit) bytes"
        case .unknownCore(let id): "no row of the archive's core has the id \"\(id)\""
        case .repeatedCore(let id): "several different rows of the archive's core have the id \"\(id)\""
        }
    }
}

/// Why a table cannot be read on: from here it is not known where a row ends.
package enum DelimitedError: Error, Equatable, CustomStringConvertible {
    /// The file ends inside quotes. `line` is where the row begins.
    case unclosedQuote(file: String, line: Int)
    /// A quoted field has more than `limit` bytes, most likely because its quote is not closed.
    case quotedFieldTooLong(file: String, line: Int, limit: Int)
    /// There is no row at all where a header is expected.
    case missingHeader(file: String)
    /// The header itself has a fault.
    case faultyHeader(file: String, fault: RowFault)
    /// Two columns have the same name.
    case duplicateColumn(file: String, name: String)

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .unclosedQuote(let file, let line): "\(file), line \(line): a quote opened in this row is never closed"
        case .quotedFieldTooLong(let file, let line, let limit):
            "\(file), line \(line): a quoted value in this row is longer than \(limit) bytes; is its quote closed?"
        case .missingHeader(let file): "\(file) is empty: a header line with column names is expected"
        case .faultyHeader(let file, let fault): "\(file), header line: \(fault)"
        case .duplicateColumn(let file, let name): "\(file) has two columns named \"\(name)\""
        }
    }
}
