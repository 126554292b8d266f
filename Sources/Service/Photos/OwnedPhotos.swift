import Domain
import EventLog
import FoundationEssentials
package import Postgres
import ReadModels
import Vault

/// Reads the photos of many of an owner's sightings at once, from the read model.
package struct OwnedPhotos: Sendable {
    /// The read model that is queried.
    package static let model = ReadModel.photos.name

    private let queries: PhotoQueries
    private let contents: ContentStore

    /// Reads through a connection or a pool.
    package init(_ database: any PostgresQuerying) {
        queries = PhotoQueries(database)
        contents = ContentStore(database: database)
    }

    /// The findings with their photos.
    /// - Throws: what the database throws.
    func added(to findings: [Finding]) async throws(PostgresError) -> [Finding] {
        let rows = try await queries.photos(of: findings.map(\.id))
        guard !rows.isEmpty else { return findings }
        let typed = try await contents.content(
            of: rows.values.joined().map(\.id.uuid), fields: [.altText, .capture])
        return findings.map { finding in
            var finding = finding
            finding.photos = (rows[finding.id] ?? []).map {
                OwnedPhoto($0, typed[$0.id.uuid], sighting: finding.details)
            }
            return finding
        }
    }
}
