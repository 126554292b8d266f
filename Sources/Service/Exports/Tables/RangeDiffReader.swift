package import Domain
import EventLog
package import Exchange
import FoundationEssentials
import Postgres
import ReadModels

/// The size of a page of differences, and the place after which it begins.
package struct RangeDiffPage: SliceRequest, Hashable {
    /// A figure of a row: the last one that the pages before have. Whatever is restricted meanwhile, those after it are
    /// the same.
    package struct Key: Hashable, Sendable {
        package let taxon: TaxonID
        package let region: RegionCode?
        package let period: RangePeriod?
        /// Nil for the end of the taxon.
        package let column: RangeColumn?

        private init(_ taxon: TaxonID, _ region: RegionCode?, _ period: RangePeriod?, _ column: RangeColumn?) {
            (self.taxon, self.region, self.period, self.column) = (taxon, region, period, column)
        }

        /// - Parameter metric: the name of the column.
        package init?(_ taxon: TaxonID, _ region: RegionCode?, _ period: RangePeriod?, metric: String) {
            guard let column = RangeColumn(rawValue: metric) else { return nil }
            self.init(taxon, region, period, column)
        }

        init(_ difference: RangeDifference) {
            self.init(difference.taxon, difference.region, difference.period, difference.column)
        }

        /// After everything about the taxon.
        package static func end(of taxon: TaxonID) -> Self { Self(taxon, nil, nil, nil) }

        /// The name of the column; nil for the end of the taxon.
        package var metric: String? { column?.name }

        /// Whether a difference of the taxon comes after it.
        func precedes(_ difference: RangeDifference) -> Bool {
            guard let column else { return false }
            let own = RangeKey(region: region, period: period)
            let other = RangeKey(region: difference.region, period: difference.period)
            guard own == other else { return own < other }
            let columns = RangeColumn.allCases
            return columns.firstIndex(of: column) ?? 0 < columns.firstIndex(of: difference.column) ?? 0
        }
    }

    package var limit: Int
    package var after: Key?

    package init(limit: Int, after: Key? = nil) {
        (self.limit, self.after) = (limit, after)
    }
}

/// Compares two tables of ranges, taxon by taxon.
struct RangeDiffReader: Sendable {
    /// A table under today's restrictions.
    struct Side: Sendable {
        let selection: RangeSelection
        let moment: PublicMoment
    }

    private static let batch = 10

    let tables: RangeTableReader
    let first: Side
    let second: Side

    /// A page of differences by taxon, region, period and column. It has fewer than its limit if its time is over.
    /// - Throws: what the database throws.
    func differences(
        _ page: RangeDiffPage, within time: Duration
    ) async throws -> Slice<RangeDifference, RangeDiffPage.Key> {
        let end = ContinuousClock.now + time
        var rest = try await taxa()[...]
        if let after = page.after { rest = rest.drop { $0.id < after.taxon } }
        var found: [RangeDifference] = []
        while !rest.isEmpty {
            let some = rest.prefix(Self.batch)
            async let old = tables.counts(some, in: first.selection, asOf: first.moment)
            async let new = tables.counts(some, in: second.selection, asOf: second.moment)
            let (before, after) = (try await old, try await new)
            for taxon in some {
                let all = RangeComparison(
                    taxon, try lines(before[taxon.id], of: taxon, first), try lines(after[taxon.id], of: taxon, second)
                ).differences
                let key = page.after.flatMap { $0.taxon == taxon.id ? $0 : nil }
                let own = key.map { key in all.drop { !key.precedes($0) } } ?? all[...]
                let taken = own.prefix(page.limit - found.count)
                if !taken.isEmpty { found += try await naming(taken, of: taxon.id) }
                if taken.count < own.count { return Slice(found, next: found.last.map { RangeDiffPage.Key($0) }) }
                rest.removeFirst()
                if ContinuousClock.now >= end, !rest.isEmpty { return Slice(found, next: .end(of: taxon.id)) }
            }
        }
        return Slice(found, next: nil)
    }

    /// The taxa of both tables, sorted by their ids.
    private func taxa() async throws -> [RangeTaxon] {
        async let old = tables.taxa(of: first.selection, asOf: first.moment)
        async let new = tables.taxa(of: second.selection, asOf: second.moment)
        var taxa: [TaxonID: RangeTaxon] = [:]
        for taxon in try await old + new {
            taxa[taxon.id] = taxon.scientificName == nil ? taxa[taxon.id] ?? taxon : taxon
        }
        return taxa.values.sorted { $0.id < $1.id }
    }

    private func lines(
        _ counts: RangeCounts?, of taxon: RangeTaxon, _ side: Side
    ) throws -> [RangeKey: RangeLine] {
        guard let counts else { return [:] }
        let query = side.selection.range(of: taxon.id)
        var lines: [RangeKey: RangeLine] = [:]
        for row in try tables.table(counts, of: taxon.id, in: side.selection).rows {
            lines[RangeKey(region: row.region, period: row.period)] = RangeLine(row, of: taxon, query)
        }
        return lines
    }

    private func naming(_ differences: ArraySlice<RangeDifference>, of taxon: TaxonID) async throws -> [RangeDifference]
    {
        async let old = counted(taxon, first)
        async let new = counted(taxon, second)
        return RangeComparison.naming(
            differences, try await old, try await new,
            sides: (first.selection.terms.side, second.selection.terms.side))
    }

    private func counted(_ taxon: TaxonID, _ side: Side) async throws -> Set<CountedRecord> {
        try await tables.reader.query {
            try await RangeQueries($0).counted(for: taxon, in: side.selection, asOf: side.moment)
        }
    }
}
