package import Domain
package import ReadModels

/// Regions and totals. All wait for the client's turn, which they have in common with maps.
extension RangeUseCases {
    /// A page of the species of a region, those with the most extreme records first.
    /// - Throws: ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func ranges(
        _ page: RegionRangeQueries.Page, _ asked: Asked
    ) async throws -> Shown<Slice<RegionRange, RegionRangeQueries.Page.Key>> {
        try await records.inTurn(RegionRangeQueries.plan, asked) { [borders] in
            try await $0.ranges(page, borders: try await borders.all, asOf: $1)
        }
    }

    /// The species of a region.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func species(_ query: RegionQuery, _ asked: Asked) async throws -> Shown<[NamedRegionSpecies]> {
        try await records.inTurn(RegionSpeciesQueries.plan, asked) { try await $0.species(query, asOf: $1) }
    }

    /// The totals of a taxon and all below it.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func totals(of taxon: TaxonID, _ asked: Asked) async throws -> Shown<NamedTotals> {
        try await records.inTurn(TotalQueries.plan, asked) { try await $0.totals(of: taxon, asOf: $1) }
    }
}
