import Domain
import Exchange

/// A column of an export, as its manifest describes it.
package struct ExportColumn: Hashable, Sendable {
    package let name: String
    /// The term's identifier; nil for a figure that is no term.
    package let term: String?
    /// text, integer, decimal or boolean.
    package let type: String
    package let unit: String?
}

extension ExportSubject {
    /// The columns that each output version has: columns are only ever added, at the end.
    static let columnsOfVersions = [1: 54]
    /// The same for tables of ranges.
    static let rangeColumnsOfVersions = [1: 54]

    /// The columns of the format, in their order: those of records are the same in all formats. Those of a survey have
    /// the name of their file, too.
    package var columns: [ExportColumn] {
        if format == .ranges {
            let all = RangeColumn.allCases
            return all.prefix(Self.rangeColumnsOfVersions[outputVersion] ?? all.count).map { column in
                ExportColumn(name: column.name, term: column.term, type: column.kind.rawValue, unit: column.unit)
            }
        }
        if format == .survey {
            return SurveyTable.allCases.flatMap { table in
                table.columns.map { column in
                    ExportColumn(
                        name: "\(table.rawValue).\(column.name)", term: column.term, type: column.kind.rawValue,
                        unit: column.unit)
                }
            }
        }
        let all = OccurrenceColumn.allCases
        return all.prefix(Self.columnsOfVersions[outputVersion] ?? all.count).map { column in
            ExportColumn(name: column.name, term: column.term, type: column.kind.rawValue, unit: column.unit)
        }
    }

    package var contentType: String { format.contentType }
}
