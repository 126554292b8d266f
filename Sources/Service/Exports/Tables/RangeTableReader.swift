import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels

/// Computes tables of ranges, a few taxa at a time, so that memory is bounded by the records of these. As of a fixed
/// moment, a table does not depend on how the taxa are divided.
struct RangeTableReader: Sendable {
    /// The taxa of one statement.
    private static let batch = 20

    let reader: BulkReader
    let borders: LandBorders

    /// The taxa that may have rows, in their order: those that the terms or the filter name, and of a kind all species
    /// with records.
    /// - Throws: what the database throws.
    func taxa(of selection: RangeSelection, asOf moment: PublicMoment) async throws -> [RangeTaxon] {
        let filter = selection.query.filter
        if let kind = filter.kind, filter.taxon == nil, selection.terms.taxa.isEmpty {
            let rejected = selection.query.rejected
            let recorded = try await reader.query { try await RangeQueries($0).recordedTaxa(rejected) }
            let found = try await reader.query {
                try await DatedTaxonQueries($0).lineages(of: recorded, asOf: moment.known)
            }
            var species: Set<RangeTaxon> = []
            for taxon in recorded {
                guard let one = found.lineage(of: taxon).map(\.summary).first(where: { $0.rank == .species }),
                    one.kind == kind
                else { continue }
                species.insert(RangeTaxon(id: one.id, scientificName: one.scientificName))
            }
            return species.sorted { $0.isBefore($1) }
        }
        let ids = Set(selection.terms.taxa + [filter.taxon].compactMap { $0 })
        let found = try await reader.query { try await DatedTaxonQueries($0).taxa(ids, asOf: moment.known) }
        return ids.map { RangeTaxon(id: $0, scientificName: found[$0]?.summary.scientificName) }
            .sorted { $0.isBefore($1) }
    }

    /// Computes the rows of taxa in their order. While `body` works on some taxa, the records of the next ones are
    /// counted.
    /// - Throws: what the database or `body` throws.
    func eachTaxon(
        _ taxa: [RangeTaxon], in selection: RangeSelection, asOf moment: PublicMoment,
        _ body: (RangeTaxon, RangeTable) throws -> Void
    ) async throws {
        var current = taxa.prefix(Self.batch)
        var counts = try await self.counts(current, in: selection, asOf: moment)
        while !current.isEmpty {
            let next = taxa[current.endIndex...].prefix(Self.batch)
            async let following = self.counts(next, in: selection, asOf: moment)
            for taxon in current {
                guard let found = counts.removeValue(forKey: taxon.id) else { continue }
                try body(taxon, try table(found, of: taxon.id, in: selection))
            }
            (current, counts) = (next, try await following)
        }
    }

    /// The rows of one taxon, none without records.
    func table(_ counts: RangeCounts, of taxon: TaxonID, in selection: RangeSelection) throws -> RangeTable {
        try RangeTable(counts, for: selection.range(of: taxon), borders: borders, most: .max)
    }

    func counts(
        _ taxa: ArraySlice<RangeTaxon>, in selection: RangeSelection, asOf moment: PublicMoment
    ) async throws -> [TaxonID: RangeCounts] {
        guard !taxa.isEmpty else { return [:] }
        let (ids, moment) = (taxa.map(\.id), reader.underRestrictions(moment))
        return try await reader.query { try await RangeQueries($0).counts(of: ids, in: selection, asOf: moment) }
    }

    func credits(
        of taxa: [RangeTaxon], in selection: RangeSelection, asOf moment: PublicMoment
    ) async throws -> RangeCredits {
        let ids = taxa.map(\.id)
        return try await reader.query { try await RangeQueries($0).credits(of: ids, in: selection, asOf: moment) }
    }
}
