import Bytes

/// A column of an occurrence file.
package struct SourceColumn: Sendable, Equatable {
    /// Its heading, or in an archive its term's short name (the whole identifier where two columns share that).
    package let name: String
    /// The Darwin Core term it stands for; nil for a foreign column.
    package let term: DarwinCoreTerm?
}

/// Where the values of each column are found.
final class OccurrenceLayout: Sendable {
    /// Where a column's value comes from.
    enum Origin: Sendable, Equatable {
        /// A field of the row, or the default where that is empty.
        case field(Int, defaultValue: String?)
        /// A field of the core's row.
        case coreField(Int, defaultValue: String?)
        /// The same for all rows.
        case constant(String)
    }

    let columns: [SourceColumn]
    let origins: [Origin]
    /// Position in `columns` by the term's raw value; -1 where there is none.
    private let positions: [Int]

    init(columns: [SourceColumn], origins: [Origin]) {
        (self.columns, self.origins) = (columns, origins)
        var positions = [Int](repeating: -1, count: DarwinCoreTerm.allCases.count)
        for (position, column) in columns.enumerated() {
            if let term = column.term { positions[Int(term.rawValue)] = position }
        }
        self.positions = positions
    }

    func position(of term: DarwinCoreTerm) -> Int? {
        let position = positions[Int(term.rawValue)]
        return position < 0 ? nil : position
    }
}

/// The number in a row's field.
package enum StatedNumber: Sendable, Equatable {
    /// The field is empty, or there is no such column.
    case missing
    /// The text is not a decimal number.
    case malformed
    case value(Double)
}

/// One occurrence as its file has it: text by Darwin Core term, nothing parsed yet.
package struct OccurrenceRow: Sendable {
    /// The row's number among the data rows, from 1; over all files where there are several.
    package let number: Int
    /// The physical line, from 1, in which the row begins.
    package let line: Int
    /// The file that holds the row.
    package let file: String

    private let row: DelimitedRow
    private let core: DelimitedRow?
    private let layout: OccurrenceLayout

    init(row: DelimitedRow, core: DelimitedRow?, file: String, layout: OccurrenceLayout) {
        (number, line, self.file) = (row.number, row.line, file)
        (self.row, self.core, self.layout) = (row, core, layout)
    }

    /// The value for a term; nil when there is no such column, or it is empty here.
    package subscript(term: DarwinCoreTerm) -> String? {
        layout.position(of: term).flatMap { value(at: $0) }
    }

    /// The number for a term. It may have a decimal comma if the file's delimiter is not the comma.
    package func number(_ term: DarwinCoreTerm) -> StatedNumber {
        guard let text = self[term]?.trimmed, !text.isEmpty else { return .missing }
        return DecimalText.number(text, decimalComma: hasDecimalCommas(term)).map { .value($0) } ?? .malformed
    }

    /// Whether a term's numbers may have a decimal comma.
    package func hasDecimalCommas(_ term: DarwinCoreTerm) -> Bool {
        guard let position = layout.position(of: term) else { return false }
        switch layout.origins[position] {
        case .field: return row.hasDecimalCommas
        case .coreField: return core?.hasDecimalCommas == true
        case .constant: return false
        }
    }

    /// The value of a column by its position in the file's columns; nil when it is empty here.
    package subscript(column position: Int) -> String? {
        value(at: position)
    }

    /// The values of the columns that stand for no term, those that are empty left out, in the file's order.
    package var foreignValues: [(name: String, value: String)] {
        layout.columns.indices.compactMap { position in
            guard layout.columns[position].term == nil, let value = value(at: position) else { return nil }
            return (layout.columns[position].name, value)
        }
    }

    /// The row's own fields as its file has them, for a file of rejected rows.
    package var fields: [String] { row.fields }

    private func value(at position: Int) -> String? {
        switch layout.origins[position] {
        case .field(let index, let defaultValue): Self.field(index, of: row) ?? defaultValue
        case .coreField(let index, let defaultValue): core.flatMap { Self.field(index, of: $0) } ?? defaultValue
        case .constant(let value): value
        }
    }

    private static func field(_ index: Int, of row: DelimitedRow) -> String? {
        row.isEmpty(index) ? nil : row[index]
    }
}

/// The next item of an occurrence file's reader.
package enum OccurrenceRecord: Sendable {
    /// An occurrence, whose values are still to be judged.
    case occurrence(OccurrenceRow)
    /// A row that cannot be read as one; `file` holds it.
    case rejected(RejectedRow, file: String)
}
