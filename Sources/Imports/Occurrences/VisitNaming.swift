import Bytes
import Domain
import Exchange

/// The columns whose values together identify the visit of a row, and whether the visits are complete.
package struct VisitNaming: Sendable, Equatable {
    /// The columns as the operator named them, each once.
    package let names: [String]
    /// Whether the rows of a visit are all species that were identified on it.
    package let isComplete: Bool

    /// Reads `COLUMN,COLUMN,…`.
    /// - Throws: ``VisitNamingError``.
    package init(parsing text: String, isComplete: Bool) throws(VisitNamingError) {
        var names: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part).trimmed
            guard !name.isEmpty else { throw .emptyName }
            guard !names.contains(name) else { throw .columnTwice(name) }
            names.append(name)
        }
        (self.names, self.isComplete) = (names, isComplete)
    }

    /// The columns of a file: a name is a heading, or a Darwin Core term that a column stands for.
    /// - Throws: ``VisitNamingError``.
    func columns(among columns: [SourceColumn]) throws(VisitNamingError) -> VisitColumns {
        var positions: [Int] = []
        for name in names {
            let term = DarwinCoreTerm(heading: name)
            let position =
                columns.firstIndex { $0.name == name } ?? columns.firstIndex { $0.term != nil && $0.term == term }
            guard let position else { throw .unknownColumn(name, known: columns.map(\.name)) }
            guard !positions.contains(position) else { throw .columnTwice(name) }
            positions.append(position)
        }
        return VisitColumns(positions: positions, isComplete: isComplete)
    }
}

/// The columns of a file that identify visits, by position.
struct VisitColumns: Sendable {
    let positions: [Int]
    let isComplete: Bool

    /// The values that identify the visit of a row, without spaces around them; nil if any is missing.
    func values(of row: OccurrenceRow) -> [String]? {
        var values: [String] = []
        for position in positions {
            guard let value = row[column: position]?.trimmed, !value.isEmpty else { return nil }
            values.append(value)
        }
        return values
    }
}

/// Invalid names of visit columns, by themselves or for a file.
package enum VisitNamingError: Error, Equatable, CustomStringConvertible {
    /// A name is empty.
    case emptyName
    /// One column is named twice.
    case columnTwice(String)
    /// The file has no such column.
    case unknownColumn(String, known: [String])

    /// A sentence for the person who runs the import.
    package var description: String {
        switch self {
        case .emptyName: "--visit needs the names of columns, such as eventID,plot"
        case .columnTwice(let column): "--visit names the column \"\(column)\" twice"
        case .unknownColumn(let column, let known):
            "--visit names \"\(column)\", which is not a column; the columns are \(known.joined(separator: ", "))"
        }
    }
}
