package import Domain
package import ReadModels

/// The figures of a range in one region and period.
package struct RangeRow: Sendable {
    /// Nil for all records, whatever their region.
    package let region: RegionCode?
    /// Nil for records that fit no period, none of which count.
    package let period: RangePeriod?
    /// Those that count. The figures take those of one place for one.
    package let records: Int
    package let observers: Int
    /// Those of records that show one.
    package let visits: Int
    package let generalised: Int
    package let notInExports: Int
    package let figures: RangeFigures
    /// Whether an end is the region's border; without an entry where no record counts.
    package let truncated: [RangeEnd: Bool]
    package let leftOut: [(reason: LeftOutReason, records: Int)]

    /// The members that are null, of the ends that are asked for.
    package func missing(for query: RangeQuery) -> [MissingMember] {
        let untold = RangeEnd.allCases.filter { !query.asks(for: $0) }.map { "\($0.rawValue)." }
        let told = figures.missing.filter { member in !untold.contains { member.member.hasPrefix($0) } }
        let ends = RangeEnd.allCases.filter { query.asks(for: $0) && truncated[$0] == nil }
        return told + ends.map { MissingMember(member: "\($0.rawValue).truncated", reason: .noRecords) }
    }
}

/// A response would have more rows than allowed, or would be computed from too many.
package struct TooManyRangeRows: Error {
    /// What would have too many.
    package enum Part: Sendable {
        /// The rows of the answer.
        case answer
        /// Its records, those of a place, region and period in one row.
        case records
    }

    /// The most rows.
    package let most: Int
    package var part = Part.answer
}

/// The rows of a range: one for each region and period with records, counted or left out, and one for
/// each period of all records.
package struct RangeTable: Sendable {
    /// The most rows of a response.
    package static let mostRows = 5_000

    /// All records come first, then the regions by their codes; within these the periods in their order, and last the
    /// records that fit none.
    package let rows: [RangeRow]

    /// - Throws: ``TooManyRangeRows``.
    package init(
        _ counts: RangeCounts, for query: RangeQuery, borders: LandBorders, most: Int = mostRows
    ) throws(TooManyRangeRows) {
        var contents = try RangeContents(counts, for: query, borders: borders, most: most)
        rows = contents.keys.map { contents.row($0) }
    }

    /// The same, in steps of a row.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``, `CancellationError`.
    init(
        _ counts: RangeCounts, for query: RangeQuery, borders: LandBorders, most: Int = mostRows,
        within time: ComputingTime
    ) async throws {
        var contents = try RangeContents(counts, for: query, borders: borders, most: most)
        var rows: [RangeRow] = []
        for key in contents.keys {
            try await time.pause()
            rows.append(contents.row(key))
        }
        self.rows = rows
    }
}

/// The input of the rows of a table.
private struct RangeContents {
    private let query: RangeQuery
    private var contents: [RangeKey: RangeContent] = [:]
    private var references: [RegionCode?: RangeReferences] = [:]
    private var truncation: RangeTruncation

    /// Those of the rows, in their order.
    var keys: [RangeKey] { contents.keys.sorted() }

    init(
        _ counts: RangeCounts, for query: RangeQuery, borders: LandBorders, most: Int
    ) throws(TooManyRangeRows) {
        self.query = query
        for group in counts.groups {
            contents[RangeKey(region: nil, period: group.period), default: RangeContent()].add(group)
            guard let region = group.region, query.region == nil || query.region == region else { continue }
            contents[RangeKey(region: region, period: group.period), default: RangeContent()].add(group)
        }
        for observers in counts.observers {
            contents[RangeKey(region: observers.region, period: observers.period)]?.observers = observers
        }
        guard contents.count <= most else { throw TooManyRangeRows(most: most) }
        for (region, parts) in Dictionary(grouping: contents, by: \.key.region) {
            references[region] = RangeReferences(parts.lazy.flatMap { $0.value.places }, query.side)
        }
        truncation = RangeTruncation(counts, query, borders)
    }

    mutating func row(_ key: RangeKey) -> RangeRow {
        (contents[key] ?? RangeContent()).row(key, query, references[key.region], &truncation)
    }
}

/// The region and the period of a row.
struct RangeKey: Hashable, Comparable {
    let region: RegionCode?
    let period: RangePeriod?

    static func < (one: Self, other: Self) -> Bool {
        if one.region != other.region {
            guard let region = one.region else { return true }
            return other.region.map { region.text < $0.text } ?? false
        }
        guard let period = one.period else { return false }
        return other.period.map { period < $0 } ?? true
    }
}

/// Where the distances of gamma distributions start, the same for all periods of a region.
private struct RangeReferences {
    let south: GammaReference?
    let north: GammaReference?

    init(_ places: some Sequence<RangeRecord>, _ side: CellSide) {
        let cells = OccupiedCells(of: places.map(\.place), side: side)
        (south, north) = (GammaReference(cells, .south), GammaReference(cells, .north))
    }
}

/// The records of a row.
private struct RangeContent {
    private(set) var places: [RangeRecord] = []
    private var records = 0
    private var generalised = 0
    private var notInExports = 0
    private var leftOut: [LeftOutReason: Int] = [:]
    var observers: RangeCounts.Observers?

    mutating func add(_ group: RangeCounts.Group) {
        if let reason = group.reason {
            leftOut[reason, default: 0] += group.records
            return
        }
        records += group.records
        generalised += group.generalised
        notInExports += group.notInExports
        if let place = group.place { places.append(place) }
    }

    func row(
        _ key: RangeKey, _ query: RangeQuery, _ references: RangeReferences?, _ truncation: inout RangeTruncation
    ) -> RangeRow {
        let cells = OccupiedCells(of: places.map(\.place), side: query.side)
        let figures = RangeFigures(
            places, in: cells, references: (references?.south, references?.north), isWholeTaxon: key.region == nil)
        var truncated: [RangeEnd: Bool] = [:]
        for end in RangeEnd.allCases where query.asks(for: end) && !places.isEmpty {
            truncated[end] = truncation.isTruncated(cells, key, end)
        }
        return RangeRow(
            region: key.region, period: key.period, records: records, observers: observers?.count ?? 0,
            visits: observers?.visits ?? 0, generalised: generalised, notInExports: notInExports, figures: figures,
            truncated: truncated,
            leftOut: LeftOutReason.allCases.compactMap { reason in leftOut[reason].map { (reason, $0) } })
    }
}
