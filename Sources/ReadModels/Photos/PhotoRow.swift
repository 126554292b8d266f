package import Domain
import EventLog
import FoundationEssentials
import Postgres

/// A photo as it is now, for its owner and for moderators.
package struct PhotoRow: Hashable, Sendable {
    package let id: PhotoID
    package let sighting: SightingID
    package let observer: AccountID
    /// The number of photos that its sighting had before.
    package let ordinal: Int
    package let status: PhotoStatus
    /// Why it is rejected.
    package let reasons: [PhotoReason]
    /// Why it is hidden; nil if it is not.
    package let hiding: HidingReason?
    package let licence: Licence
    package let mediaType: ImageType
    /// Pixels, upright.
    package let width: Int
    package let height: Int
    package let bytes: Int
    package let original: Fingerprint
    package let renditions: [PhotoRendition]
    /// Photos that look nearly the same.
    package let resembles: [PhotoID]
    package let uploadedAt: Instant
    /// Version of its newest event.
    package let version: Int
    /// Position of its newest event.
    package let position: Int64
}

extension PhotoRow {
    static let columns = [
        "id", "sighting", "observer", "ordinal", "status", "reasons", "hiding", "licence", "media_type", "width",
        "height", "bytes", "original", "renditions", "resembles", "uploaded_at", "version", "position",
    ]

    /// The columns of a table `s` as ``init(_:)`` reads them.
    static let selection = PostgresRow.selection(columns)

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        sighting = try row.id("sighting")
        observer = try row.id("observer")
        ordinal = try row.decode("ordinal")
        status = try row.required(row.word("status"), "status")
        reasons = try row.list("reasons")
        hiding = try row.word("hiding")
        licence = try row.required(row.word("licence"), "licence")
        mediaType = try row.required(row.word("media_type"), "media_type")
        width = try row.decode("width")
        height = try row.decode("height")
        bytes = try row.decode("bytes")
        original = try row.required(row.code("original"), "original")
        renditions = try row.list("renditions")
        resembles = try row.list("resembles")
        uploadedAt = try row.required(row.instant("uploaded_at"), "uploaded_at")
        version = try row.decode("version")
        position = try row.decode("position")
    }
}
