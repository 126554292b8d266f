import Domain
import ReadModels

/// Finds out whether the end of a range in a region is the region's border. Cells occur in many periods, so the result
/// for each is cached.
struct RangeTruncation {
    private let borders: LandBorders
    /// The centres of the occupied cells of each period, by region.
    private let centres: [RangePeriod: [RegionCode?: [Coordinate]]]
    private var isNear: [Question: Bool] = [:]

    private struct Question: Hashable {
        let cell: MarginCell
        let region: RegionCode
        let end: RangeEnd
    }

    init(_ counts: RangeCounts, _ query: RangeQuery, _ borders: LandBorders) {
        self.borders = borders
        var cells: [RangePeriod: [RegionCode?: Set<MarginCell>]] = [:]
        for group in counts.groups {
            guard let period = group.period, let place = group.place else { continue }
            cells[period, default: [:]][group.region, default: []].insert(MarginCell(place.place, side: query.side))
        }
        centres = cells.mapValues { $0.mapValues { $0.map(\.centre) } }
    }

    /// For cells that are given one by one.
    init(_ borders: LandBorders) {
        (self.borders, centres) = (borders, [:])
    }

    /// Whether an end of the range in a region is its border. All records together have none.
    mutating func isTruncated(_ cells: OccupiedCells, _ key: RangeKey, _ end: RangeEnd) -> Bool {
        guard let region = key.region, let period = key.period else { return false }
        let centres = centres[period] ?? [:]
        return isTruncated(
            cells, in: region, end, others: centres.filter { $0.key != region }.values.flatMap { $0 })
    }

    /// Whether an end of the occupied cells of a region is its border.
    /// - Parameter others: the centres of the occupied cells outside it, of the same period.
    mutating func isTruncated(
        _ cells: OccupiedCells, in region: RegionCode, _ end: RangeEnd, others: @autoclosure () -> [Coordinate]
    ) -> Bool {
        for cell in cells.margin(end) where isNear(cell, region, end) { return true }
        return Truncation.goesOn(cells, end, to: others())
    }

    private mutating func isNear(_ cell: MarginCell, _ region: RegionCode, _ end: RangeEnd) -> Bool {
        let question = Question(cell: cell, region: region, end: end)
        if let known = isNear[question] { return known }
        let found = Truncation.isTruncated(
            OccupiedCells([cell]), end, border: borders.lines(of: region), hasRecordsBeyond: false)
        isNear[question] = found
        return found
    }
}
