package import Domain
package import Service

/// The regions, taxa and datasets that a filter of public records may name.
package struct FilterVocabulary: Sendable {
    let places: PlaceIndex
    let catalogue: Catalogue
    let records: PublicReads

    package init(_ places: PlaceIndex, _ catalogue: Catalogue, _ records: PublicReads) {
        (self.places, self.catalogue, self.records) = (places, catalogue, records)
    }
}

extension FieldReader {
    /// The filter of public records, of a query or of a body. Names that mean nothing known, and a period that ends
    /// before it begins, are faults like others.
    /// - Parameters:
    ///   - left: the members that are not accepted.
    ///   - statuses: the words that `status` may have.
    /// - Throws: what the look-up of a dataset throws.
    package mutating func publicFilter(
        without left: Set<RecordFilter.Member> = [], statuses: [SightingStatus] = SightingStatus.ofRecords,
        _ vocabulary: FilterVocabulary
    ) async throws -> RecordFilter {
        let members = RecordFilter.Member.allCases.filter { !left.contains($0) }
        let filter = recordFilter(accepting: members, statuses: statuses, vocabulary.places)
        if let taxon = filter.taxon, vocabulary.catalogue.names.summary(of: taxon) == nil {
            note(RecordFilter.Member.taxon.rawValue, .unknownTaxon)
        }
        if let from = filter.from, let to = filter.to, from > to {
            note(RecordFilter.Member.from.rawValue, .endBeforeBeginning)
        }
        if let dataset = filter.dataset?.id, try await !vocabulary.records.hasDataset(dataset) {
            note(RecordFilter.Member.dataset.rawValue, .unknownDataset)
        }
        return filter
    }
}

extension QueryReader {
    /// Ends the reading of a query with `asOf`. That its day is not over is one more fault where there are others;
    /// alone, it is the problem `day-not-over`, as in requests without a filter.
    /// - Throws: `ProblemDetails`.
    package mutating func finish(asOf day: CivilDate?, _ log: LogState) throws(ProblemDetails) {
        if let day, day > log.lastDay, hasFaults { note("asOf", .dayNotOver) }
        try finish()
    }
}
