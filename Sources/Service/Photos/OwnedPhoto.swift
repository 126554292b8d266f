package import Domain
import EventLog
import FoundationEssentials
package import Postgres
import ReadModels
import Vault

/// A photo as its owner and moderators may see it.
package struct OwnedPhoto: Sendable {
    package var id: PhotoID
    package var sighting: SightingID
    package var status: PhotoStatus
    /// Why it is rejected.
    package var reasons: [PhotoReason]
    /// Why it is hidden; nil if it is not.
    package var hiding: HidingReason?
    /// The SHA-256 of the original. Must never be public.
    package var original: Fingerprint
    /// Of the original.
    package var mediaType: ImageType
    /// Pixels, upright.
    package var width: Int
    package var height: Int
    /// The size of the original.
    package var bytes: Int
    package var renditions: [PhotoRendition]
    package var licence: Licence
    package var altText: String?
    package var capture: PhotoCapture
    package var hints: [PhotoHint]
    /// The stream's version.
    package var version: Int
    /// The position of the event that made this version.
    package var position: Int64
    package var uploadedAt: Instant
}

extension OwnedPhoto {
    /// - Parameter sighting: the sighting's details; nil where they are unknown, and then there are no hints.
    init?(_ stored: Stored<PhotoState>, altText: String?, capture: String?, sighting: SightingDetails?) {
        let state = stored.state
        guard let upload = state.upload, let status = state.status, let licence = state.licence else { return nil }
        let capture = PhotoCapture(json: capture)
        let image = upload.image
        self.init(
            id: PhotoID(stored.id), sighting: upload.sighting, status: status, reasons: state.reasons,
            hiding: state.hiding, original: image.original, mediaType: image.type, width: image.width,
            height: image.height, bytes: image.bytes, renditions: state.renditions, licence: licence, altText: altText,
            capture: capture,
            hints: sighting.map { PhotoHint.hints(capture, $0) } ?? [], version: stored.version,
            position: stored.position, uploadedAt: Instant(stored.createdAt))
    }
}

extension OwnedPhoto {
    init(_ row: PhotoRow, _ content: StreamContent?, sighting: SightingDetails) {
        let capture = PhotoCapture(json: content?[.capture])
        self.init(
            id: row.id, sighting: row.sighting, status: row.status, reasons: row.reasons, hiding: row.hiding,
            original: row.original, mediaType: row.mediaType, width: row.width, height: row.height, bytes: row.bytes,
            renditions: row.renditions, licence: row.licence, altText: content?[.altText], capture: capture,
            hints: PhotoHint.hints(capture, sighting), version: row.version, position: row.position,
            uploadedAt: row.uploadedAt)
    }
}

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

/// Why a photo is not accepted, other than by the rules of its stream.
package enum PhotoRefusal: Error, Equatable, Sendable {
    /// The sighting has ten photos, or has had a hundred.
    case tooMany
    /// The account's quota of the day is used up.
    case quota
    /// Its bytes are truncated or damaged.
    case unreadable
    case tooManyPixels
    /// Neither JPEG, PNG, WebP nor HEIC.
    case unsupportedType
    /// Too many photos are being worked on.
    case busy
}
