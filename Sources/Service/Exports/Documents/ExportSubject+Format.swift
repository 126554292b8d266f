import Domain
import Exchange

/// A column of an export, as its manifest describes it.
package struct ExportColumn: Hashable, Sendable {
    package let name: String
    /// The term's identifier.
    package let term: String
    /// text, integer, decimal or boolean.
    package let type: String
    package let unit: String?
}

extension ExportSubject {
    /// The columns that each output version has: columns are only ever added, at the end.
    static let columnsOfVersions = [1: 54]

    /// The columns of every format, in their order.
    package var columns: [ExportColumn] {
        let all = OccurrenceColumn.allCases
        return all.prefix(Self.columnsOfVersions[outputVersion] ?? all.count).map { column in
            ExportColumn(name: column.name, term: column.term, type: column.kind.rawValue, unit: column.unit)
        }
    }

    package var contentType: String { format.contentType }
}
