package import Domain
import EventLog
import FoundationEssentials
import JSON
package import Postgres
package import ReadModels
import Vault

/// A public sighting: its row with names and texts that may be shown.
package struct PublicRecord: Sendable {
    /// The row of the read model.
    package let row: PublicSighting
    /// The taxon with its names at the moment of the answer; nil for none.
    package let taxon: TaxonSummary?
    /// The observer's public name; nil for an anonymous one.
    package let observerName: String?
    /// The notes, if they may be shown.
    package let notes: String?
    /// The name as typed, if it may be shown.
    package let verbatimName: String?
    /// The title of the dataset it was imported with; nil for a submitted sighting.
    package let datasetTitle: String?
    /// Its photos, in their order.
    package let photos: [RecordPhoto]
}

/// A reading of all records of a map or a list took too long.
package struct ReadingTimeout: Error {
    static let limit: Duration = .seconds(600)
}

/// A map took longer than maps may.
package struct MapTimeout: Error {
    /// Runs statements, each of which the database ends at its time limit.
    /// - Throws: ``MapTimeout`` for that; what else `body` throws.
    static func caught<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where error.sqlState == .queryCanceled {
            throw MapTimeout()
        }
    }
}

/// Reads public sightings and maps.
package struct PublicReader: Sendable {
    /// For records without names: histories, and what a public id names.
    package static let records = ReadPlan(.sightingsPublic)
    /// For a record or a photo with its observer's name.
    package static let named = ReadPlan(.sightingsPublic, .accounts, asOfDay: .taxa)
    /// For counts of records, with what may be passed on.
    package static let counts = ReadPlan(.sightingsPublic, .datasets)
    /// For maps.
    package static let maps = ReadPlan(.sightingsPublic, asOfDay: .taxa)
    /// For all records of a map that are passed on.
    package static let sequences = ReadPlan(.sightingsPublic, .datasets, asOfDay: .taxa)
    /// For galleries.
    package static let galleries = ReadPlan(.sightingsPublic, .accounts, .taxa)

    /// The plan for records under a filter: kinds are those of the taxa as they are now.
    static func plan(_ plan: ReadPlan, under filter: RecordFilter) -> ReadPlan {
        filter.kind == nil ? plan : plan.with(ReadPlan(.taxa))
    }

    let pool: PostgresPool
    private let queries: PublicSightingQueries
    let catalogue: Catalogue
    private let restrictions: (@Sendable () -> Int64)?

    /// Reads through a pool, and names taxa by the catalogue.
    /// - Parameter restrictions: the position up to which restrictions apply to the next batch of a reading in batches,
    ///   as in ``BulkReader``; nil: up to that of the moment.
    package init(_ pool: PostgresPool, catalogue: Catalogue, restrictions: (@Sendable () -> Int64)? = nil) {
        self.pool = pool
        queries = PublicSightingQueries(pool)
        self.catalogue = catalogue
        self.restrictions = restrictions
    }

    /// A sighting by its public id.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func sighting(_ id: SightingID, asOf moment: PublicMoment) async throws -> PublicRecord {
        let found = try await queries.sighting(id, asOf: moment, and: Self.told(asOf: moment))
        guard let found else { throw CommandError.notFound }
        if found.sighting.kind == .gone { throw CommandError.gone }
        let names = try await summaries(of: found.sighting.taxon.map { [$0] } ?? [], asOf: moment)
        return try Self.record(found.sighting, found.row, names)
    }

    /// The stream of a public sighting.
    /// - Throws: ``CommandError/notFound``, ``CommandError/withdrawn``, ``CommandError/gone``; what the database
    ///   throws.
    func stream(of id: SightingID, asOf moment: PublicMoment) async throws -> SightingID {
        let found = try await queries.sighting(
            id, asOf: moment, and: "\(fragment: PublicSightingQueries.stream) as stream")
        guard let found else { throw CommandError.notFound }
        switch found.sighting.kind {
        case .record: return SightingID(try found.row.decode("stream", as: UUID.self))
        case .tombstone: throw CommandError.withdrawn
        case .gone: throw CommandError.gone
        }
    }

    /// The map of a taxon and all below it: the records that meet the view's filter.
    /// - Throws: what the database throws.
    package func map(of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment) async throws -> NamedMap {
        // A map of everything takes long, and must not hold up the statements on a shared connection.
        let answer = try await pool.withExclusive { connection in
            try await PublicSightingQueries(connection).map(of: taxon, view, asOf: moment)
        }
        return NamedMap(answer: answer, names: try await summaries(of: answer.taxa, asOf: moment))
    }

    /// Reads every record of a map that is passed on in bulk answers in batches, for ten minutes at most, because a
    /// reading holds a connection and a snapshot for as long as its client takes.
    /// - Throws: ``ReadingTimeout``; what the database or `body` throws.
    func eachPoint(
        of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment,
        _ body: ([MapAnswer.Point], TaxonSummaries) async throws -> Void
    ) async throws {
        let end = ContinuousClock.now + ReadingTimeout.limit
        try await pool.transaction { connection in
            var names = try await summaries(of: [], asOf: moment)
            try await queries.eachPoint(of: taxon, view, asOf: moment, on: connection) { points in
                guard ContinuousClock.now < end else { throw ReadingTimeout() }
                let points = try await remaining(points, of: view, asOf: moment)
                // Not on this connection: its snapshot may be older than a rebuilt table.
                names = try await summaries(of: MapAnswer.points(points).taxa, asOf: moment, beside: names)
                try await body(points, names)
            }
        }
    }

    /// The points that are still on the map under later restrictions, which the snapshot of the reading does not have.
    private func remaining(
        _ points: [MapAnswer.Point], of view: MapView, asOf moment: PublicMoment
    ) async throws -> [MapAnswer.Point] {
        guard let restrictions else { return points }
        let later = moment.underRestrictions(upTo: restrictions())
        guard later.shown > moment.shown else { return points }
        return try await queries.remaining(points.map(\.id), of: view, asOf: later)
    }

    /// The columns joined to a row in the same statement: a sighting takes one round trip.
    static func told(asOf moment: PublicMoment) -> SQL {
        """
        \(fragment: submitted(asOf: moment)),
        \(fragment: ContentStore.newest(.title, of: "s.dataset", asOf: moment.known)) as dataset_title
        """
    }

    /// The columns that only submitted records have. They are not looked up for imported records, because that would
    /// take longer than everything else.
    static func submitted(asOf moment: PublicMoment) -> SQL {
        let (stream, position) = (PublicSightingQueries.stream, moment.known)
        return """
            case when s.dataset is null and s.content
                      and not \(fragment: PublicSightingQueries.isHidden(.notes, asOf: moment))
                 then \(fragment: ContentStore.newest(.notes, of: stream, asOf: position)) end as notes,
            case when s.dataset is null and s.content
                      and not \(fragment: PublicSightingQueries.isHidden(.verbatimName, asOf: moment))
                 then \(fragment: ContentStore.newest(.verbatimName, of: stream, asOf: position)) end as verbatim_name,
            case when s.dataset is null then \(fragment: observerName(asOf: moment)) end as observer_name,
            case when s.dataset is null then \(fragment: photos(asOf: moment)) end as photos
            """
    }

    /// - Parameters:
    ///   - row: with the columns of ``told(asOf:)``.
    ///   - names: those of its taxon at the moment of the answer.
    static func record(
        _ sighting: PublicSighting, _ row: PostgresRow, _ names: TaxonSummaries
    ) throws(PostgresError) -> PublicRecord {
        try record(
            sighting, row, taxon: sighting.taxon.flatMap { names.summary(of: $0) },
            datasetTitle: row.decode("dataset_title"))
    }

    /// - Parameter row: with the columns of ``submitted(asOf:)``.
    static func record(
        _ sighting: PublicSighting, _ row: PostgresRow, taxon: TaxonSummary?, datasetTitle: String?
    ) throws(PostgresError) -> PublicRecord {
        let notes: String? = try row.decode("notes")
        let verbatimName: String? = try row.decode("verbatim_name")
        let chosenName: String? = try row.decode("observer_name")
        let photos: PostgresJSON? = try row.decode("photos")
        return PublicRecord(
            row: sighting, taxon: taxon,
            observerName: chosenName == "" ? sighting.observer?.defaultName : chosenName,
            notes: notes, verbatimName: verbatimName, datasetTitle: datasetTitle,
            photos: sighting.kind == .record ? photos.map(RecordPhoto.list) ?? [] : [])
    }
}
