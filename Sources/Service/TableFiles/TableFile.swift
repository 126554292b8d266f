import Bytes
package import Exchange

/// A small table of reference data with a header: tab or comma between the fields, plain or gzip.
package struct TableFile {
    /// A row of the table.
    package struct Row {
        fileprivate let row: DelimitedRow
        fileprivate let positions: [String: Int]
        fileprivate let file: String

        /// The line of the file in which the row begins.
        package var line: Int { row.line }

        /// A column's text, trimmed; empty if there is no such column.
        package subscript(column: String) -> String {
            guard let position = positions[column] else { return "" }
            return row[position].trimmed
        }

        /// - Throws: ``TableFault/malformed(file:line:reason:)`` for anything but a number.
        package func number(_ column: String) throws -> Double {
            guard let number = DecimalText.number(self[column], decimalComma: row.hasDecimalCommas) else {
                throw malformed("\(column) is not a number")
            }
            return number
        }

        /// nil for anything but a whole number, which may be written as a decimal.
        package func wholeNumber(_ column: String) -> Int? {
            DecimalText.wholeNumber(self[column], decimalComma: row.hasDecimalCommas)
        }

        package func malformed(_ reason: String) -> TableFault {
            .malformed(file: file, line: line, reason: reason)
        }
    }

    package let path: String
    package let columns: Set<String>
    private let reader: DelimitedReader
    private let positions: [String: Int]

    /// - Parameter required: the columns that the table must have.
    /// - Throws: what reading throws; ``TableFault/missingColumns(file:expected:)``.
    package init(_ path: String, columns required: [String]) throws {
        self.path = path
        let container = try ContainerKind(path: path).open(path)
        guard container.files.count == 1, let file = container.files.first else {
            throw TableFault.malformed(file: path, line: 1, reason: "a single table is expected")
        }
        let inspection = try TextInspection(of: container.openText(file.name), declared: nil)
        let sniffer = DialectSniffer(
            sample: inspection.sample, sampleIsWhole: inspection.sampleIsWhole, file: file.name)
        reader = DelimitedReader(
            source: try container.openText(file.name), file: path, dialect: sniffer.dialect(),
            encoding: inspection.encoding)
        let names = try reader.readHeader()
        columns = Set(names)
        positions = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        guard columns.isSuperset(of: required) else {
            throw TableFault.missingColumns(file: path, expected: required.joined(separator: ", "))
        }
    }

    /// Passes on every row; those that cannot be read go to `refused`.
    /// - Throws: what reading throws; what the closures throw.
    package func forEach(rejected: (RejectedRow) throws -> Void, _ body: (Row) throws -> Void) throws {
        while let record = try reader.next() {
            switch record {
            case .row(let row): try body(Row(row: row, positions: positions, file: path))
            case .rejected(let rejection): try rejected(rejection)
            }
        }
    }

    /// Maps every row.
    /// - Throws: also where a row cannot be read.
    package func map<Value>(_ make: (Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try forEach { rejection in
            throw TableFault.malformed(file: path, line: rejection.line, reason: rejection.fault.description)
        } _: { row in
            values.append(try make(row))
        }
        return values
    }
}

extension String {
    /// nil for an empty text.
    package var nonEmpty: String? { isEmpty ? nil : self }
}
