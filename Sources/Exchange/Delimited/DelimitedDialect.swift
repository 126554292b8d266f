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
    package var lineEnd: LineEnd

    /// A dialect of these properties.
    package init(delimiter: UInt8, quote: UInt8?, lineEnd: LineEnd = .automatic) {
        (self.delimiter, self.quote, self.lineEnd) = (delimiter, quote, lineEnd)
    }

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

/// How many fields a row is expected to have.
package enum ColumnExpectation: Sendable, Equatable {
    /// As many as come.
    case any
    /// Exactly this many: a header says so.
    case exactly(Int)
    /// This many or more: a descriptor names columns and leaves others unnamed.
    case atLeast(Int)

    /// Whether a row of `count` fields is as expected.
    func allows(_ count: Int) -> Bool {
        switch self {
        case .any: true
        case .exactly(let expected): count == expected
        case .atLeast(let expected): count >= expected
        }
    }
}
