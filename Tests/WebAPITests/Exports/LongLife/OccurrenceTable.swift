import Exchange
import NIOCore
import Testing

/// The rows of an export as TSV, by their `occurrenceID`.
struct OccurrenceTable: Sendable {
    private(set) var rows: [String: [String]] = [:]

    init(_ bytes: ByteBuffer) throws {
        let lines = String(buffer: bytes).split(separator: "\n", omittingEmptySubsequences: false)
        let columns = OccurrenceColumn.allCases
        try #require(lines.first.map(String.init) == columns.map(\.name).joined(separator: "\t"))
        try #require(lines.last == "")
        for line in lines.dropFirst().dropLast() {
            let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(values.count == columns.count, "\(line)")
            let former = rows.updateValue(values, forKey: values[OccurrenceColumn.occurrenceID.index])
            #expect(former == nil, "two rows have one id: \(line)")
        }
    }

    var ids: Set<String> { Set(rows.keys) }

    subscript(id: String, column: OccurrenceColumn) -> String? { rows[id]?[column.index] }

    /// The rows with a value in a column.
    func ids(_ column: OccurrenceColumn, _ value: String) -> Set<String> {
        Set(rows.filter { $0.value[column.index] == value }.keys)
    }

    /// The rows in which a word occurs.
    func ids(containing word: String) -> Set<String> {
        Set(rows.filter { row in row.value.contains { $0.contains(word) } }.keys)
    }

    /// The rows that both tables have, with other values.
    func changed(to other: OccurrenceTable) -> Set<String> {
        Set(rows.filter { id, row in other.rows[id].map { $0 != row } ?? false }.keys)
    }

    /// The differences to a later table, as errata have them.
    func differences(to later: OccurrenceTable) -> Set<Difference> {
        var found: Set<Difference> = []
        for id in ids.subtracting(later.ids) { found.insert(Difference(id: id, change: "removed", columns: [])) }
        for id in later.ids.subtracting(ids) { found.insert(Difference(id: id, change: "added", columns: [])) }
        for id in changed(to: later) {
            let columns = OccurrenceColumn.allCases.filter { self[id, $0] != later[id, $0] }
            found.insert(Difference(id: id, change: "changed", columns: columns.map(\.name)))
        }
        return found
    }

    struct Difference: Hashable {
        let id: String
        let change: String
        let columns: [String]
    }
}
