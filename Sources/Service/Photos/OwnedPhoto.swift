package import Domain
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
    /// Pixels, upright.
    package var width: Int
    package var height: Int
    /// The size of the original.
    package var bytes: Int
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
            hiding: state.hiding, original: image.original, width: image.width, height: image.height,
            bytes: image.bytes, licence: licence, altText: altText, capture: capture,
            hints: sighting.map { PhotoHint.hints(capture, $0) } ?? [], version: stored.version,
            position: stored.position, uploadedAt: Instant(stored.createdAt))
    }
}

extension OwnedPhoto {
    init(_ row: PhotoRow, _ content: StreamContent?, sighting: SightingDetails) {
        let capture = PhotoCapture(json: content?[.capture])
        self.init(
            id: row.id, sighting: row.sighting, status: row.status, reasons: row.reasons, hiding: row.hiding,
            original: row.original, width: row.width, height: row.height, bytes: row.bytes, licence: row.licence,
            altText: content?[.altText], capture: capture,
            hints: PhotoHint.hints(capture, sighting), version: row.version, position: row.position,
            uploadedAt: row.uploadedAt)
    }
}
