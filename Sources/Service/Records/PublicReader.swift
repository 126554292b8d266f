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
    /// The taxon with its present names; nil for none.
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

/// A reading of all records of a map took too long.
package struct ReadingTimeout: Error {}

/// A map took longer than maps may.
package struct MapTimeout: Error {}

/// Reads public sightings and maps.
package struct PublicReader: Sendable {
    /// For records without names: histories, maps, and what a public id names.
    package static let records = ReadPlan(.sightingsPublic)
    /// For a record or a photo with its observer's name.
    package static let named = ReadPlan(.sightingsPublic, .accounts)
    /// For galleries.
    package static let galleries = ReadPlan(.sightingsPublic, .accounts, .taxa)

    let pool: PostgresPool
    private let queries: PublicSightingQueries
    private let catalogue: Catalogue

    /// Reads through a pool, and names taxa by the catalogue.
    package init(_ pool: PostgresPool, catalogue: Catalogue) {
        self.pool = pool
        queries = PublicSightingQueries(pool)
        self.catalogue = catalogue
    }

    /// A sighting by its public id.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func sighting(_ id: SightingID, asOf moment: PublicMoment) async throws -> PublicRecord {
        let found = try await queries.sighting(id, asOf: moment, and: Self.told(asOf: moment))
        guard let found else { throw CommandError.notFound }
        if found.sighting.kind == .gone { throw CommandError.gone }
        return try record(found.sighting, found.row)
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

    /// The map of a taxon and all below it.
    /// - Throws: what the database throws.
    package func map(of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment) async throws -> MapAnswer {
        // A map of everything takes long, and must not hold up the statements on a shared connection.
        try await pool.withExclusive { connection in
            try await PublicSightingQueries(connection).map(of: taxon, view, asOf: moment)
        }
    }

    /// Reads every record of a map in batches, for ten minutes at most, because a reading holds a connection and a
    /// snapshot for as long as its client takes.
    /// - Throws: ``ReadingTimeout``; what the database or `body` throws.
    func eachPoint(
        of taxon: TaxonID, _ view: MapView, asOf moment: PublicMoment,
        _ body: ([MapAnswer.Point]) async throws -> Void
    ) async throws {
        let end = ContinuousClock.now + .seconds(600)
        try await pool.transaction { connection in
            try await queries.eachPoint(of: taxon, view, asOf: moment, on: connection) { points in
                guard ContinuousClock.now < end else { throw ReadingTimeout() }
                try await body(points)
            }
        }
    }

    /// The columns joined to a row in the same statement: a sighting takes one round trip.
    private static func told(asOf moment: PublicMoment) -> SQL {
        let (stream, position) = (PublicSightingQueries.stream, moment.known)
        return """
            case when s.content and not \(fragment: PublicSightingQueries.isHidden(.notes, asOf: moment))
                 then \(fragment: ContentStore.newest(.notes, of: stream, asOf: position)) end as notes,
            case when s.content and not \(fragment: PublicSightingQueries.isHidden(.verbatimName, asOf: moment))
                 then \(fragment: ContentStore.newest(.verbatimName, of: stream, asOf: position)) end as verbatim_name,
            \(fragment: photos(asOf: moment)),
            \(fragment: ContentStore.newest(.title, of: "s.dataset")) as dataset_title,
            \(fragment: observerName(asOf: moment))
            """
    }

    private func record(_ sighting: PublicSighting, _ row: PostgresRow) throws(PostgresError) -> PublicRecord {
        let notes: String? = try row.decode("notes")
        let verbatimName: String? = try row.decode("verbatim_name")
        let datasetTitle: String? = try row.decode("dataset_title")
        let chosenName: String? = try row.decode("observer_name")
        let photos = try? JSONValue(parsing: Array(row.decode("photos", as: PostgresJSON.self).text.utf8))
        return PublicRecord(
            row: sighting, taxon: sighting.taxon.flatMap { catalogue.names.summary(of: $0) },
            observerName: chosenName == "" ? sighting.observer?.defaultName : chosenName,
            notes: notes, verbatimName: verbatimName, datasetTitle: datasetTitle,
            photos: sighting.kind == .record ? photos?.items.compactMap(RecordPhoto.init) ?? [] : [])
    }
}
