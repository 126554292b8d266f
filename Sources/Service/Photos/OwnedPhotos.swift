import Domain
import EventLog
import FoundationEssentials
package import Postgres
package import ReadModels
import Vault

/// Reads the photos of many of an owner's sightings at once, from the read model.
package struct OwnedPhotos: Sendable {
    package static let plan = ReadPlan(.photos)

    /// The content that belongs to a photo.
    static let fields: [ContentField] = [.altText, .capture]

    let queries: PhotoQueries
    private let contents: ContentStore

    /// Reads through a connection or a pool.
    package init(_ database: any PostgresQuerying) {
        queries = PhotoQueries(database)
        contents = ContentStore(database: database)
    }

    /// The photos of sightings that are not deleted, in the order of their uploads.
    /// - Throws: what the database throws.
    func photos(
        of sightings: [SightingID: SightingDetails]
    ) async throws(PostgresError) -> [SightingID: [OwnedPhoto]] {
        let rows = try await rows(of: Array(sightings.keys))
        return Dictionary(grouping: try await photos(rows, of: sightings), by: \.sighting)
    }

    /// The rows of the photos of sightings that are not deleted, those of each in the order of their uploads.
    /// - Throws: what the database throws.
    func rows(of sightings: [SightingID]) async throws(PostgresError) -> [PhotoRow] {
        try await queries.photos(of: sightings).values.flatMap { $0 }
    }

    /// The photos of a sighting that are not deleted, in the order of their uploads.
    func ids(of sighting: SightingID) async throws(PostgresError) -> [PhotoID] {
        try await queries.photos(of: [sighting])[sighting]?.map(\.id) ?? []
    }

    /// Photos in the order of an owner; others come after them, in the order of their uploads.
    static func ordered(_ photos: [OwnedPhoto], by order: [PhotoID]) -> [OwnedPhoto] {
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return photos.enumerated()
            .map { index, photo in (places[photo.id] ?? order.count + index, photo) }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The photos of rows, in their order; those of sightings without details are left out.
    /// - Throws: what the database throws.
    func photos(
        _ rows: [PhotoRow], of sightings: [SightingID: SightingDetails]
    ) async throws(PostgresError) -> [OwnedPhoto] {
        let typed = try await contents.content(of: rows.map(\.id.uuid), fields: Self.fields)
        return Self.photos(rows, typed, of: sightings)
    }

    /// The photos of rows with their content, in their order; those of sightings without details are left out.
    /// - Parameter typed: the ``fields`` of the photos.
    static func photos(
        _ rows: [PhotoRow], _ typed: [UUID: StreamContent], of sightings: [SightingID: SightingDetails]
    ) -> [OwnedPhoto] {
        rows.compactMap { row in
            sightings[row.sighting].map { OwnedPhoto(row, typed[row.id.uuid], sighting: $0) }
        }
    }
}
