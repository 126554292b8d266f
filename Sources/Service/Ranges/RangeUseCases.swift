package import Domain

/// The use cases of ranges.
package struct RangeUseCases: Sendable {
    private let records: PublicReads
    private let borders: RangeBorders

    init(_ ground: Ground, records: RecordUseCases) {
        (self.records, borders) = (records.reads, RangeBorders(ground.places.index))
    }

    /// The range of a taxon and all below it, when the client's turn comes, which it has in common with maps.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func range(_ query: RangeQuery, _ asked: Asked) async throws -> Shown<NamedRange> {
        let plan = PublicReader.plan(PublicReader.sequences, under: query.filter)
        return try await records.inTurn(plan, asked) { [borders] in
            try await $0.range(query, borders: borders.all, asOf: $1)
        }
    }
}
