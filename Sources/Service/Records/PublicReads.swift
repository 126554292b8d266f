package import Domain
import EventLog
import Postgres
package import ReadModels

/// Reads public sightings, photos and targets for anyone.
package struct PublicReads: Sendable {
    /// Every record of a map, which may be read once. The turn ends with it.
    package struct Sequence: Sendable {
        let reader: PublicReader
        let turn: FairTurns.Turn
        package let moment: PublicMoment

        /// Reads the records in batches.
        /// - Throws: ``ReadingTimeout``; what the database or `body` throws.
        package func eachPoint(
            of taxon: TaxonID, _ view: MapView, _ body: ([MapAnswer.Point], TaxonSummaries) async throws -> Void
        ) async throws {
            defer { turn.end() }
            try await reader.eachPoint(of: taxon, view, asOf: moment, body)
        }
    }

    let reads: Reads
    let signer: CommandSigner
    /// The service's public address, without a slash at its end; nil if it is not known.
    let publicURL: String?
    let catalogue: Catalogue
    let maps: FairTurns
    let sequences: FairTurns
    let streams: FairTurns

    /// Reads as of a moment; see ``Reads/read(_:_:_:)``.
    package func read<Value: Sendable>(
        _ plan: ReadPlan, _ asked: Asked = Asked(),
        _ body: @escaping @Sendable (PublicReader, PublicMoment) async throws -> Value
    ) async throws -> Shown<Value> {
        try await read(plan, asked, over: reads, body)
    }

    /// The map of a taxon and all below it, when the client's turn comes.
    /// - Throws: ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func map(of taxon: TaxonID, _ view: MapView, _ asked: Asked) async throws -> Shown<NamedMap> {
        try await inTurn(PublicReader.plan(PublicReader.maps, under: view.filter), asked) {
            try await $0.map(of: taxon, view, asOf: $1)
        }
    }

    /// A page of the records that meet a filter, when the client's turn comes.
    /// - Throws: ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func list(
        _ page: PublicListQueries.Page, _ asked: Asked
    ) async throws -> Shown<Slice<PublicRecord, PublicListQueries.Page.Key>> {
        try await inTurn(PublicReader.plan(PublicReader.named, under: page.filter), asked) {
            try await $0.list(page, asOf: $1)
        }
    }

    /// The number of records that meet a filter, when the client's turn comes.
    /// - Throws: ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    package func count(_ filter: RecordFilter, _ asked: Asked) async throws -> Shown<BulkCount> {
        try await inTurn(PublicReader.plan(PublicReader.counts, under: filter), asked) {
            try await $0.count(filter, asOf: $1)
        }
    }

    /// Whether a dataset is registered.
    /// - Throws: as ``Reads/read(_:_:_:)``.
    package func hasDataset(_ id: DatasetID) async throws -> Bool {
        try await reads.read(ReadPlan(.datasets)) { try await DatasetQueries($0.pool).contains(id) }.value
    }

    /// Reads what may take as long as a map.
    /// - Throws: ``MapTimeout``; as ``Reads/read(_:_:_:)``.
    func inTurn<Value: Sendable>(
        _ plan: ReadPlan, _ asked: Asked,
        _ body: @escaping @Sendable (PublicReader, PublicMoment) async throws -> Value
    ) async throws -> Shown<Value> {
        try await MapTimeout.caught { try await read(plan, asked, over: reads.inTurn(maps), body) }
    }

    /// All records of a map, when the client's turn comes; they are sent while they are read.
    /// - Throws: ``FairTurns/Rejection``, ``ModelBehind``, ``DayNotOver``; what the database throws.
    package func sequence(under filter: RecordFilter, _ asked: Asked) async throws -> Sequence {
        let turn = try await sequences.begin(by: TurnClient.address)
        do {
            // After the wait for the turn, so that restrictions that began meanwhile apply.
            let source = try await reads.source(PublicReader.plan(PublicReader.sequences, under: filter), asked)
            let reader = PublicReader(source.pool, catalogue: catalogue) { [log = reads.log] in
                log.position(of: PublicReader.sequences.main.name)
            }
            return Sequence(reader: reader, turn: turn, moment: source.moment)
        } catch {
            turn.end()
            throw error
        }
    }

    private func read<Value: Sendable>(
        _ plan: ReadPlan, _ asked: Asked, over reads: Reads,
        _ body: @escaping @Sendable (PublicReader, PublicMoment) async throws -> Value
    ) async throws -> Shown<Value> {
        try await reads.read(plan, asked) { [catalogue] source in
            try await body(PublicReader(source.pool, catalogue: catalogue), source.moment)
        }
    }
}
