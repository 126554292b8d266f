package import Domain
package import ReadModels

extension PublicReader {
    /// The names of some taxa: the present ones, which are in memory, or as of a day those known then, which are read
    /// in one statement. The plan of an answer as of a day needs the taxa's model. An answer without a day that is
    /// pinned to a position, such as an export, reads its names with `DatedTaxonQueries` instead.
    /// - Parameter known: names for the same moment, with which the new ones are returned; only taxa that are missing
    ///   among them are read.
    /// - Throws: what the database throws.
    package func summaries(
        of taxa: Set<TaxonID>, asOf moment: PublicMoment, beside known: TaxonSummaries? = nil
    ) async throws -> TaxonSummaries {
        guard moment.day != nil else { return known ?? TaxonSummaries(catalogue.names) }
        var summaries = known ?? TaxonSummaries()
        let missing = summaries.missing(of: taxa)
        if !missing.isEmpty {
            summaries.add(try await DatedTaxonQueries(pool).taxa(missing, asOf: moment.known).summaries, of: missing)
        }
        return summaries
    }
}

/// A map with the names of its points' taxa.
package struct NamedMap: Sendable {
    package let answer: MapAnswer
    package let names: TaxonSummaries
}

extension MapAnswer {
    /// The taxa of its points.
    var taxa: Set<TaxonID> {
        switch self {
        case .points(let points): Set(points.lazy.compactMap(\.taxon))
        case .cells: []
        }
    }
}
