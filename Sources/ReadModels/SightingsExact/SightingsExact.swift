package import Domain
import EventLog
import Postgres

/// A sighting with its exact place and date, as of one of its events.
///
/// Typed text is content beside the log. A record with a redacted payload has only the values that are left.
package struct ExactSighting: Hashable, Sendable {
    package let id: SightingID
    /// Version of the event.
    package let version: Int
    /// Position of the event.
    package let position: Int64
    /// When the event was recorded.
    package let recordedAt: Instant
    /// When the sighting's first event was recorded.
    package let submittedAt: Instant
    /// nil when a payload it needs was redacted.
    package let status: SightingStatus?
    /// nil unless it is withdrawn.
    package let withdrawal: WithdrawalReason?
    /// nil for imports.
    package let observer: AccountID?
    /// nil for submissions.
    package let dataset: DatasetID?
    /// The last import that wrote it.
    package let batch: BatchID?
    /// The fingerprint of the imported row's content.
    package let occurrence: Fingerprint?
    /// nil for unidentified.
    package let taxon: TaxonID?
    package let qualifier: TaxonQualifier?
    /// The most sensitive category its own events recorded; later changes of taxa are in ``PublicSighting``.
    package let sensitivity: SensitivityCategory?
    /// nil when a payload they need was redacted. The place's cells are in the log only.
    package let details: SightingDetails?
    /// The targets that prompted the sighting.
    package let promptedBy: TargetsID?
    /// The order of its photos, as far as its owner set one.
    package let photoOrder: [PhotoID]
    /// The SHA-256 of photos that its observer announced.
    package let awaitedPhotos: [Fingerprint]
}

extension ExactSighting {
    /// In the order in which ``init(_:)`` reads them, which is quickest.
    static let columns = [
        "id", "version", "valid", "recorded_at", "submitted_at", "status", "reason", "observer", "dataset", "batch",
        "occurrence", "taxon", "qualifier", "sensitivity", "observed", "observed_precision", "observed_zone",
        "observed_from", "observed_to", "local_from", "local_to", "latitude", "longitude", "place_basis", "polygons",
        "state", "region", "country", "place_distance", "border_state", "border_region", "count", "confidence",
        "uncertainty", "captive", "licence", "geoprivacy", "visit", "protocol", "prompted_by", "photo_order",
        "awaited_photos",
    ]

    /// The columns of a table `s` as ``init(_:)`` reads them.
    static let selection = PostgresRow.selection(columns.filter { $0 != "observed_precision" })

    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.id("id"), version: try row.decode("version"), position: try row.decode("valid"),
            recordedAt: try row.required(row.instant("recorded_at"), "recorded_at"),
            submittedAt: try row.required(row.instant("submitted_at"), "submitted_at"),
            status: SightingStatus(rawValue: try row.decode("status")), withdrawal: try row.word("reason"),
            observer: try row.id(optional: "observer"), dataset: try row.id(optional: "dataset"),
            batch: try row.id(optional: "batch"), occurrence: try row.code("occurrence"),
            taxon: try row.id(optional: "taxon"), qualifier: try row.word("qualifier"),
            sensitivity: try row.category("sensitivity"), details: try SightingDetails(row),
            promptedBy: try row.id(optional: "prompted_by"), photoOrder: try row.list("photo_order"),
            awaitedPhotos: try row.list("awaited_photos"))
    }
}

extension SightingDetails {
    fileprivate init?(_ row: PostgresRow) throws(PostgresError) {
        guard let observed = try ObservedInterval(row), let coordinate = try row.coordinate(),
            let place = try Place(row)
        else { return nil }
        self.init(observed: observed, coordinate: coordinate, place: place)
        count = try row.bounded("count")
        confidence = try row.bounded("confidence")
        uncertainty = try row.metres("uncertainty")
        captive = try row.decode("captive") ?? false
        licence = try row.word("licence")
        geoprivacy = try row.word("geoprivacy")
        visit = try row.visit("visit")
        surveyProtocol = try row.word("protocol")
    }
}

extension ObservedInterval {
    fileprivate init?(_ row: PostgresRow) throws(PostgresError) {
        guard let value = try row.observationTime("observed"),
            let zone = try row.code("observed_zone", as: ZoneName.self),
            let from = try row.instant("observed_from"), let to = try row.instant("observed_to"),
            let localFrom = try row.date("local_from"), let localTo = try row.date("local_to")
        else { return nil }
        self.init(value, in: zone, from: from, to: to, localFrom: localFrom, localTo: localTo)
    }
}

extension Place {
    fileprivate init?(_ row: PostgresRow) throws(PostgresError) {
        guard let basis = try row.word("place_basis", as: Basis.self),
            let polygons = try row.code("polygons", as: PolygonSetCode.self)
        else { return nil }
        self.init(
            state: try row.code("state"), region: try row.code("region"), country: try row.code("country"),
            basis: basis, distanceMetres: try row.decode("place_distance"), borderState: try row.code("border_state"),
            borderRegion: try row.code("border_region"), polygons: polygons)
    }
}

/// The condition that a row `s` is of a wild organism, and of the taxon for certain.
enum WildSightings {
    static let condition: SQL = """
        (not coalesce(s.captive, false) and coalesce(s.qualifier, '') not in ('cf', 'aff'))
        """
}
