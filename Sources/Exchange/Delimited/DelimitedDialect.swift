/// How a table is written down as text.
package struct DelimitedDialect: Sendable, Equatable {
    /// What ends a row, outside quotes.
    package enum LineEnd: Sendable, Equatable {
        /// The file's first line end decides: CR alone means `anyOf`, everything else `lineFeed`.
        case automatic
        /// LF or CRLF; a CR without LF is part of a value.
        case lineFeed
        /// LF, CRLF or CR.
        case anyOf
    }

    /// The ASCII byte between fields.
    package var delimiter: UInt8
    /// The ASCII byte around fields, doubled where it stands for itself; nil when nothing is enclosed.
    package var quote: UInt8?
    /// What ends a row.
    package var lineEnd = LineEnd.automatic

    /// Whether a comma inside a field can be a decimal comma: programs that write these use another delimiter.
    var hasDecimalCommas: Bool { delimiter != UInt8(ascii: ",") }

    /// Comma-separated values with double quotes.
    ///
    /// - Source: RFC 4180.
    package static let csv = DelimitedDialect(delimiter: UInt8(ascii: ","), quote: UInt8(ascii: "\""))

    /// Tab-separated values, nothing enclosed.
    package static let tsv = DelimitedDialect(delimiter: UInt8(ascii: "\t"), quote: nil)
}

/// How large a row may be. What is larger is no record: most often a quote that was never closed.
package struct DelimitedLimits: Sendable, Equatable {
    /// Bytes in one field. 1 MiB.
    package var fieldBytes = 1 << 20
    /// Bytes in all fields of a row together. 16 MiB.
    package var rowBytes = 16 << 20
    /// Fields in a row.
    package var columns = 10_000

    /// The limits described at each property.
    package init() {}
}

/// Finds delimiter and quoting by a table's first bytes.
///
/// - The delimiter is the most frequent of comma, tab, semicolon and pipe in the first line outside
///   quotes, for a header's names hold none of them. Equal counts go to the first in that order; where the file's name
///   ends in `.tsv` or `.txt`, to the first in the order tab, comma, semicolon, pipe. A line without any is one column.
/// - Fields are enclosed in double quotes, unless the delimiter is a tab and more of the sample's rows are faulty
///   (ragged, or wrongly quoted) when read with quotes than without: tab-separated files are often written without
///   quoting, and then a value may begin with a quote.
package struct DialectSniffer: Sendable {
    private static let quote = UInt8(ascii: "\"")
    private static let tab = UInt8(ascii: "\t")

    private let sample: [UInt8]
    private let sampleIsWhole: Bool
    private let file: String

    /// A sniffer of the file's first bytes, without byte order mark, and its name.
    package init(sample: [UInt8], sampleIsWhole: Bool, file: String) {
        (self.sample, self.sampleIsWhole, self.file) = (sample, sampleIsWhole, file)
    }

    /// The dialect the sample is most likely written in.
    package func dialect() -> DelimitedDialect {
        let delimiter = delimiter(candidates: candidates)
        let quoted = DelimitedDialect(delimiter: delimiter, quote: Self.quote)
        let bare = DelimitedDialect(delimiter: delimiter, quote: nil)
        return delimiter != Self.tab || faults(of: quoted) <= faults(of: bare) ? quoted : bare
    }

    /// The delimiter of a table whose descriptor names none, but needs `columns` columns: the comma, the default of the
    /// Darwin Core text guide, if the first line then has that many; otherwise the first delimiter that gives them.
    func delimiter(forColumns columns: Int, quote: UInt8?) -> UInt8 {
        let comma = UInt8(ascii: ",")
        return Self.byNeed.first { count(of: $0, quote: quote) + 1 >= columns } ?? comma
    }

    private static let byNeed: [UInt8] = [",", "\t", ";", "|"].map { UInt8(ascii: $0) }

    private var candidates: [UInt8] {
        let name = file.lowercased()
        let prefersTab = name.hasSuffix(".tsv") || name.hasSuffix(".txt")
        return prefersTab ? [Self.tab] + Self.byNeed.filter { $0 != Self.tab } : Self.byNeed
    }

    private func delimiter(candidates: [UInt8]) -> UInt8 {
        var best = (delimiter: UInt8(ascii: ","), count: 0)
        for candidate in candidates {
            let count = count(of: candidate, quote: Self.quote)
            if count > best.count { best = (candidate, count) }
        }
        return best.delimiter
    }

    /// How often `delimiter` occurs outside quotes in the first line that is not empty.
    private func count(of delimiter: UInt8, quote: UInt8?) -> Int {
        var (count, isQuoted, length) = (0, false, 0)
        for byte in sample {
            if byte == quote {
                isQuoted.toggle()
            } else if !isQuoted && (byte == 0x0A || byte == 0x0D) {
                if length > 0 { break }
                continue
            } else if !isQuoted && byte == delimiter {
                count += 1
            }
            length += 1
        }
        return count
    }

    /// How many of the sample's rows have a fault, or another number of fields than the first.
    private func faults(of dialect: DelimitedDialect) -> Int {
        var scanner = RowScanner(dialect: dialect, limits: .init(), ignoredLines: 0, file: file)
        var (position, count, columns) = (0, 0, Int?.none)
        do {
            while try sample.withUnsafeBufferPointer({ try scanner.scan($0, position: &position) }) {
                let found = scanner.row.fieldEnds.count
                if scanner.row.fault != nil || found != columns ?? found { count += 1 }
                columns = columns ?? found
                scanner.beginRow()
            }
            // A sample that is cut off says nothing by its end.
            if sampleIsWhole { _ = try scanner.finish() }
        } catch {
            count += 1
        }
        return count
    }
}
