package import Domain

/// The use cases of ranges.
package struct RangeUseCases: Sendable {
    let records: PublicReads
    let borders: RangeBorders
    /// How long a computation may take.
    private let limit: Duration

    init(_ ground: Ground, records: RecordUseCases, limits: DatabaseLimits) {
        (self.records, borders) = (records.reads, RangeBorders(ground.places.index))
        limit = limits.mapTimeout
    }

    /// The range of a taxon and all below it, when the client's turn comes, which it has in common with maps.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func range(_ query: RangeQuery, _ asked: Asked) async throws -> Shown<NamedRange> {
        let plan = PublicReader.plan(PublicReader.sequences, under: query.filter)
        return try await records.inTurn(plan, asked) { [borders, limit] in
            try await $0.range(query, borders: try await borders.all, asOf: $1, within: limit)
        }
    }

    /// The trend of an end of the range of a taxon and all below it, when the client's turn comes. The turn lasts until
    /// the trend is computed.
    /// - Throws: ``TooManyRangeRows``, ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func trend(_ query: TrendQuery, _ asked: Asked) async throws -> Shown<NamedTrend> {
        let plan = PublicReader.visits
        return try await records.inTurn(plan, asked) { [borders, limit] in
            try await $0.trend(query, borders: try await borders.all, asOf: $1, within: limit)
        }
    }
}
