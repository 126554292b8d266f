/// Why one row is rejected while the rows around it are read. Columns count from 1.
package enum RowFault: Sendable, Equatable, CustomStringConvertible {
    /// The row has another number of fields than its table.
    case ragged(expected: ColumnExpectation, actual: Int)
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
        }
    }

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .ragged(.atLeast(let expected), let actual): "\(actual) fields where at least \(expected) are expected"
        case .ragged(.exactly(let expected), let actual): "\(actual) fields where \(expected) are expected"
        case .ragged(.any, let actual): "\(actual) fields"
        case .invalidBytes(let column, let encoding): "column \(column) is not valid \(encoding.rawValue)"
        case .nul(let column): "column \(column) holds a NUL character"
        case .textAfterClosingQuote(let column):
            "column \(column) goes on after its closing quote; a quote inside a value is written twice"
        case .fieldTooLong(let column, let limit): "column \(column) is longer than \(limit) bytes"
        case .tooManyColumns(let limit): "more than \(limit) columns"
        case .rowTooLong(let limit): "longer than \(limit) bytes"
        case .unknownCore(let id): "no row of the archive's core has the id \"\(id)\""
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
