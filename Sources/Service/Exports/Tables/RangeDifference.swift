package import Domain
package import Exchange
package import JSON
import ReadModels

/// A figure that differs between two tables of ranges.
package struct RangeDifference: Hashable, Sendable {
    /// The most records of a list.
    package static let mostRecords = 100

    package let taxon: TaxonID
    /// As of the later table; as of the earlier one if the later one has no such taxon.
    package let scientificName: String?
    /// Nil for all records.
    package let region: RegionCode?
    /// Nil for records that fit none.
    package let period: RangePeriod?
    package let column: RangeColumn
    /// The values as the tables have them; nil for none.
    package let before: String?
    package let after: String?
    /// The records that count in the later table and not in the earlier one, in the cells that decide the figure; the
    /// first ones by their ids.
    package private(set) var entered: [SightingID] = []
    /// The same for those that count in the earlier one only.
    package private(set) var left: [SightingID] = []

    /// The name of the column.
    package var metric: String { column.name }

    /// The values before and after; numbers have the decimals that the tables have.
    package var figures: (before: JSONValue, after: JSONValue) { (figure(before), figure(after)) }

    private func figure(_ text: String?) -> JSONValue {
        guard let text else { return .null }
        return switch column.kind {
        case .integer: Int(text).map { .integer($0) } ?? .null
        case .decimal: Double(text).map { .number($0) } ?? .null
        case .boolean: .boolean(text == "true")
        case .text: .string(text)
        }
    }

    /// Names the records, from those of the row in either table.
    fileprivate mutating func name(_ cells: RowCells) {
        let deciding = { (record: RangeRecord) in cells.decides(column, record) }
        entered = Self.ids(of: cells.second.subtracting(cells.first).filter(deciding))
        left = Self.ids(of: cells.first.subtracting(cells.second).filter(deciding))
    }

    private static func ids(of records: Set<RangeRecord>) -> [SightingID] {
        Array(Set(records.map(\.id)).sorted().prefix(mostRecords))
    }
}

/// The rows of a taxon in two tables.
struct RangeComparison {
    /// Without the records that make them.
    let differences: [RangeDifference]

    init(_ taxon: RangeTaxon, _ first: [RangeKey: RangeLine], _ second: [RangeKey: RangeLine]) {
        var found: [RangeDifference] = []
        let columns = RangeColumn.allCases.filter { !RangeColumn.ofKey.contains($0) && $0 != .missing }
        for key in Set(first.keys).union(second.keys).sorted() {
            let (old, new) = (first[key], second[key])
            for column in columns {
                let (before, after) = (old?.value(of: column), new?.value(of: column))
                guard before != after else { continue }
                found.append(
                    RangeDifference(
                        taxon: taxon.id, scientificName: taxon.scientificName, region: key.region, period: key.period,
                        column: column, before: before, after: after))
            }
        }
        differences = found
    }

    /// Some of the differences with the records that make them.
    /// - Parameter sides: of the cells of either table.
    static func naming(
        _ differences: some Collection<RangeDifference>, _ first: Set<CountedRecord>, _ second: Set<CountedRecord>,
        sides: (first: CellSide, second: CellSide)
    ) -> [RangeDifference] {
        let (old, new) = (byRow(first), byRow(second))
        var rows: [RangeKey: RowCells] = [:]
        return differences.map { difference in
            var difference = difference
            let key = RangeKey(region: difference.region, period: difference.period)
            let cells =
                rows[key]
                ?? RowCells(old[key] ?? [], new[key] ?? [], sides: sides)
            rows[key] = cells
            difference.name(cells)
            return difference
        }
    }

    /// The records of each region and period, and of each period in all regions.
    private static func byRow(_ counted: Set<CountedRecord>) -> [RangeKey: Set<RangeRecord>] {
        var rows: [RangeKey: Set<RangeRecord>] = [:]
        for one in counted {
            rows[RangeKey(region: nil, period: one.period), default: []].insert(one.record)
            guard let region = one.region else { continue }
            rows[RangeKey(region: region, period: one.period), default: []].insert(one.record)
        }
        return rows
    }
}

/// The records of a row in two tables, and their cells.
private struct RowCells {
    let first: Set<RangeRecord>
    let second: Set<RangeRecord>
    private let sides: (first: CellSide, second: CellSide)
    /// The cells that are occupied in one table only.
    private let changed: Set<MarginCell>
    private let margins: [RangeEnd: Set<MarginCell>]
    /// The outermost record of either table.
    private let extremes: [RangeEnd: [SightingID]]

    init(_ first: Set<RangeRecord>, _ second: Set<RangeRecord>, sides: (first: CellSide, second: CellSide)) {
        (self.first, self.second, self.sides) = (first, second, sides)
        let old = OccupiedCells(of: first.map(\.place), side: sides.first)
        let new = OccupiedCells(of: second.map(\.place), side: sides.second)
        changed = Set(old.cells).symmetricDifference(new.cells)
        margins = Dictionary(
            uniqueKeysWithValues: RangeEnd.allCases.map { ($0, Set(old.margin($0)).union(new.margin($0))) })
        extremes = Dictionary(
            uniqueKeysWithValues: RangeEnd.allCases.map { end in
                (end, [first, second].compactMap { ExtremeRecord(of: $0, end)?.sighting })
            })
    }

    /// Whether a record that counts in one table only decides the difference of a figure: the extreme record
    /// itself; for a margin and for percentiles, one in a cell that is occupied in one table only, because further
    /// records of a cell change nothing; for counts and areas, each.
    func decides(_ column: RangeColumn, _ record: RangeRecord) -> Bool {
        switch column {
        case .southLatitude, .southSightingID: extremes[.south]?.contains(record.id) == true
        case .northLatitude, .northSightingID: extremes[.north]?.contains(record.id) == true
        case .southMeanOf10Cells, .southTruncated: isChanged(record, at: .south)
        case .northMeanOf10Cells, .northTruncated: isChanged(record, at: .north)
        case .southGamma95, .southGammaShape, .southGammaScale, .southGammaReference, .southGammaCells,
            .southGammaBeyondData, .northGamma95, .northGammaShape, .northGammaScale, .northGammaReference,
            .northGammaCells, .northGammaBeyondData, .q05, .q10, .q50, .q90, .q95, .cells, .centroidLatitude,
            .centroidLongitude:
            isChanged(record)
        default: true
        }
    }

    private func isChanged(_ record: RangeRecord, at end: RangeEnd? = nil) -> Bool {
        [sides.first, sides.second].contains { side in
            let cell = MarginCell(record.place, side: side)
            return changed.contains(cell) && (end.map { margins[$0]?.contains(cell) == true } ?? true)
        }
    }
}
