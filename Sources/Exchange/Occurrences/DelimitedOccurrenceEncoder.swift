/// Occurrences as a table: a line of headings, then one line for each occurrence. All have as many fields as there are
/// columns.
package struct DelimitedOccurrenceEncoder: OccurrenceEncoder {
    /// How fields are separated, lines end, and values are quoted.
    package enum Dialect: Sendable {
        /// RFC 4180: commas, CRLF, double quotes around fields that need them.
        case commas
        /// Tabs and LF, nothing enclosed: no value has a tab or a line end, and a quote is an ordinary character.
        case tabs
    }

    package private(set) var replacedCharacters = 0
    private let dialect: Dialect
    private static let headings = OccurrenceColumn.allCases.map { Array($0.name.utf8) }

    package init(_ dialect: Dialect) {
        self.dialect = dialect
    }

    package mutating func begin(into bytes: inout [UInt8]) {
        appendLine(to: &bytes) { Self.headings[$0][...] }
    }

    package mutating func append(_ occurrence: OutgoingOccurrence, to bytes: inout [UInt8]) {
        replacedCharacters += occurrence.replacedCharacters
        appendLine(to: &bytes) { occurrence.bytes(at: $0) }
    }

    package mutating func end(into bytes: inout [UInt8]) {}

    private func appendLine(to bytes: inout [UInt8], _ value: (Int) -> ArraySlice<UInt8>) {
        for index in Self.headings.indices {
            switch dialect {
            case .commas:
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(value(index), to: &bytes)
            case .tabs:
                if index > 0 { bytes.append(UInt8(ascii: "\t")) }
                bytes.append(contentsOf: value(index))
            }
        }
        if dialect == .commas { bytes.append(UInt8(ascii: "\r")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Quotes a field where reading it back needs that: see ``DelimitedWriter``. Values have no line ends.
    private static func append(_ field: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
        guard let first = field.first, let last = field.last else { return }
        let needsQuotes =
            first == space || last == space || first == ByteOrderMark.utf8[0]
            || field.contains { $0 == UInt8(ascii: ",") || $0 == quote }
        guard needsQuotes else {
            bytes.append(contentsOf: field)
            return
        }
        bytes.append(quote)
        for byte in field {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}
