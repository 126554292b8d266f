package import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels

/// The size of a page of differences, and the place after which it begins.
package struct RangeDiffPage: SliceRequest, Hashable {
    /// A taxon, and how many of its differences the pages before have.
    package struct Key: Hashable, Sendable {
        package let taxon: TaxonID
        package let done: Int

        package init(_ taxon: TaxonID, done: Int) {
            (self.taxon, self.done) = (taxon, done)
        }

        /// After everything about the taxon.
        static func end(of taxon: TaxonID) -> Self { Self(taxon, done: Int(Int32.max)) }
    }

    package var limit: Int
    package var after: Key?

    package init(limit: Int, after: Key? = nil) {
        (self.limit, self.after) = (limit, after)
    }
}

/// Compares two tables of ranges, taxon by taxon.
struct RangeDiffReader: Sendable {
    /// A table, as it is under the restrictions of now.
    struct Side: Sendable {
        let selection: RangeSelection
        let moment: PublicMoment
    }

    private static let batch = 10

    let tables: RangeTableReader
    let first: Side
    let second: Side

    /// A page of differences by taxon, region, period and column. A page has fewer than its limit if its time is over
    /// before.
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
                let done = page.after.map { $0.taxon == taxon.id ? $0.done : 0 } ?? 0
                let own = RangeComparison(
                    taxon, try lines(before[taxon.id], of: taxon, first), try lines(after[taxon.id], of: taxon, second)
                ).differences.dropFirst(done)
                let taken = own.prefix(page.limit - found.count)
                if !taken.isEmpty { found += try await naming(taken, of: taxon.id) }
                if taken.count < own.count {
                    return Slice(found, next: RangeDiffPage.Key(taxon.id, done: done + taken.count))
                }
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
