package import Domain
import Postgres
package import ReadModels

/// Where the range of a species ends in a region.
package struct RegionRange: Sendable {
    /// Nil for one whose name is not known.
    package let taxon: TaxonSummary?
    package let extreme: ExtremeRecord
    /// Nil under 20 cells.
    package let meanOf10Cells: Double?
    /// The records of the region that count, and their cells.
    package let records: Int
    package let cells: Int
    /// Whether the end is the region's border.
    package let truncated: Bool
}

/// A species of a region with its name.
package struct NamedRegionSpecies: Sendable {
    /// Nil for one whose name is not known.
    package let taxon: TaxonSummary?
    package let found: RegionSpecies
}

/// The totals of a taxon with its name.
package struct NamedTotals: Sendable {
    /// Nil for one that was not known yet.
    package let taxon: TaxonSummary?
    package let totals: [RecordTotal]
}

extension PublicReader {
    /// A page of the species of a region, each with its most extreme record.
    /// - Throws: what the database throws.
    func ranges(
        _ page: RegionRangeQueries.Page, borders: LandBorders, asOf moment: PublicMoment
    ) async throws -> Slice<RegionRange, RegionRangeQueries.Page.Key> {
        // At a moment, records do not change, so both statements see the same.
        let (found, cells) = try await pool.withExclusive { connection in
            let queries = RegionRangeQueries(connection)
            let found = try await queries.extremes(page, asOf: moment)
            let cells = try await queries.cells(of: found.items.map(\.species), page.query, asOf: moment)
            return (found, cells)
        }
        let names = try await summaries(of: Set(found.items.map(\.species)), asOf: moment)
        var truncation = RangeTruncation(borders)
        return found.with(
            found.items.map { item in
                let members = cells[item.species] ?? RegionCells()
                let occupied = OccupiedCells(members.cells)
                return RegionRange(
                    taxon: names.summary(of: item.species), extreme: item.extreme.rounded,
                    meanOf10Cells: try? occupied.meanOfTen(page.end).get(), records: members.records,
                    cells: occupied.cells.count,
                    truncated: truncation.isTruncated(
                        occupied, in: page.query.region, page.end, others: members.others.map(\.centre)))
            })
    }

    /// The species of a region.
    /// - Throws: ``TooManyRangeRows``; what the database throws.
    func species(_ query: RegionQuery, asOf moment: PublicMoment) async throws -> [NamedRegionSpecies] {
        let found = try await pool.withExclusive { connection in
            try await RegionSpeciesQueries(connection).species(
                query, first: RangeTable.mostRows + 1, asOf: moment)
        }
        guard found.count <= RangeTable.mostRows else { throw TooManyRangeRows(most: RangeTable.mostRows) }
        let names = try await summaries(of: Set(found.map(\.species)), asOf: moment)
        return found.map { NamedRegionSpecies(taxon: names.summary(of: $0.species), found: $0) }
    }

    /// The totals of a taxon and all below it.
    /// - Throws: ``TooManyRangeRows``; what the database throws.
    func totals(of taxon: TaxonID, asOf moment: PublicMoment) async throws -> NamedTotals {
        let found = try await pool.withExclusive { connection in
            try await TotalQueries(connection).totals(of: taxon, first: RangeTable.mostRows + 1, asOf: moment)
        }
        guard found.count <= RangeTable.mostRows else { throw TooManyRangeRows(most: RangeTable.mostRows) }
        let names = try await summaries(of: [taxon], asOf: moment)
        return NamedTotals(taxon: names.summary(of: taxon), totals: found)
    }
}
