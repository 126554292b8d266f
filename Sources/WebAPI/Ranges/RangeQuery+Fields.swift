import Domain
import Web

extension QueryReader {
    /// The query for a taxon's range: its records, periods, cells and end.
    /// - Parameter needsEnd: whether `end` must be present.
    /// - Throws: what the look-up of a dataset throws.
    mutating func rangeQuery(
        of taxon: TaxonID, needsEnd: Bool = false, _ vocabulary: FilterVocabulary
    ) async throws -> RangeQuery {
        // First, because a missing parameter is noted only before other faults.
        let end = needsEnd ? required("end", RangeEnd.init(word:)) : optional("end", RangeEnd.init(word:))
        var filter = try await publicFilter(without: [.taxon], vocabulary)
        let region = filter.region
        filter.region = nil
        return RangeQuery(
            of: taxon, filter, period: optional("period", RangePeriodKind.init(word:)) ?? .year,
            side: optional("cellKm", Int.self, CellSide.init(_:)) ?? .ten, region: region, end: end,
            withPrompted: optional("prompted", Bool.self) ?? false)
    }
}
