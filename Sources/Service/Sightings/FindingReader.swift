package import Domain
import EventLog
import FoundationEssentials
package import Postgres
package import ReadModels
import Vault

/// Reads birders' own findings from the read model.
package struct FindingReader: Sendable {
    /// For findings. Public ids are there once the public records have the sighting's newest event.
    package static let lists = ReadPlan(.sightingsExact, .photos, .moderation, .taxa)
    package static let galleries = ReadPlan(.photos, .sightingsExact, .taxa)
    /// For histories.
    package static let histories = ReadPlan(.sightingsExact, .photos, .accounts)
    /// For maps.
    package static let maps = ReadPlan(.sightingsExact)

    let queries: FindingQueries
    let contents: ContentStore
    let reader: LogReader
    private let catalogue: Catalogue
    let photos: OwnedPhotos
    let conversations: ReviewConversations

    /// Reads through a pool or a connection, and names taxa by the catalogue.
    package init(_ database: any PostgresQuerying, catalogue: Catalogue) {
        queries = FindingQueries(database)
        contents = ContentStore(database: database)
        reader = LogReader(database)
        photos = OwnedPhotos(database)
        conversations = ReviewConversations(database)
        self.catalogue = catalogue
    }

    /// A page of findings, newest observation first, in three statements: the findings with their reviews, the photos,
    /// and the content of both. That of the photos needs their ids, and there may be many photos of a finding.
    /// - Returns: also the position as of which they are listed; 0 for an empty page.
    /// - Throws: what the database throws.
    package func page(
        of account: AccountID, _ page: FindingQueries.Page
    ) async throws -> (slice: Slice<Finding, MomentKey>, position: Int64) {
        let (found, position) = try await queries.findings(of: account, page)
        let rows = found.items
        let details = Self.detailsWithPhotos(rows)
        let pictures = try await photos.rows(of: Array(details.keys))
        let typed = try await contents.content(
            of: rows.map(\.sighting.id.uuid) + pictures.map(\.id.uuid),
            fields: [ContentField.notes, .verbatimName] + OwnedPhotos.fields)
        let names = catalogue.names
        let findings = rows.compactMap { row, publicID, review -> Finding? in
            var finding = Finding(row)
            finding?.publicID = publicID
            finding?.review = review
            finding?.photoOrder = row.photoOrder
            finding?.taxon = row.taxon.flatMap { names.summary(of: $0) }
            finding?.notes = typed[row.id.uuid]?[.notes]
            finding?.verbatimName = typed[row.id.uuid]?[.verbatimName]
            return finding
        }
        let shown = Dictionary(grouping: OwnedPhotos.photos(pictures, typed, of: details), by: \.sighting)
        return (found.with(findings.map { $0.adding(shown[$0.id] ?? []) }), position)
    }

    /// The details of the findings that have their photos still: they are gone with what was withdrawn for privacy.
    private static func detailsWithPhotos(_ rows: [FindingQueries.Row]) -> [SightingID: SightingDetails] {
        var details: [SightingID: SightingDetails] = [:]
        for row in rows where row.sighting.withdrawal != .privacy {
            details[row.sighting.id] = row.sighting.details
        }
        return details
    }

    /// A page of a birder's photos, newest first. Those of sightings that are gone are left out, so a page may
    /// have fewer than its limit.
    /// - Throws: what the database throws.
    package func gallery(
        of account: AccountID, _ page: PhotoQueries.Page
    ) async throws -> Slice<OwnedPhoto, MomentKey> {
        let rows = try await photos.queries.gallery(of: account, page)
        let details = try await queries.details(of: Set(rows.items.map(\.sighting)), by: account)
        return rows.with(try await photos.photos(rows.items, of: details))
    }

    /// A birder's own map.
    /// - Throws: what the database throws.
    package func map(of account: AccountID, _ view: MapView) async throws -> MapAnswer {
        try await queries.map(of: account, view)
    }
}

extension Finding {
    /// A row of the list; nil if too little of the sighting is left to show.
    fileprivate init?(_ row: ExactSighting) {
        guard let details = row.details, let status = row.status else { return nil }
        self.init(
            id: row.id, details: details, status: status, promptedBy: row.promptedBy, version: row.version,
            position: row.position, createdAt: row.submittedAt)
        awaitedPhotos = row.awaitedPhotos
    }
}
