package import Domain
internal import Postgres

/// A sighting as anyone may see it.
package struct PublicSighting: Hashable, Sendable {
    /// What is left of it to show.
    package enum Kind: String, Hashable, Sendable {
        /// A record.
        case record
        /// It was withdrawn: id, taxon, status, reason and date are shown.
        case tombstone
        /// It was withdrawn for privacy or redacted, or is no longer public under this id: only that is shown.
        case gone
    }

    /// Its public id; of category 2 another one than its own.
    package let id: SightingID
    package let kind: Kind
    /// The type of the event that brought this knowledge; nil when gone.
    package let change: String?
    /// Version of that event; nil for category 2, as are the times.
    package let version: Int?
    /// When that event was recorded.
    package let recordedAt: Instant?
    /// When the sighting's first event was recorded.
    package let submittedAt: Instant?
    /// Position of that event. Not to be given out for category 2, where ``version`` is nil.
    package let knownSince: Int64
    /// Position of the restriction by which it looks like this. Not to be given out either.
    package let shownSince: Int64
    /// Nil when gone.
    package let status: SightingStatus?
    /// Why it was withdrawn.
    package let withdrawal: WithdrawalReason?
    /// The observer's pseudonym; nil for imports, for category 2 and when not a record.
    package let observer: ObserverID?
    package let dataset: DatasetID?
    package let taxon: TaxonID?
    package let qualifier: TaxonQualifier?
    /// The category its place is generalised for; nil for none.
    package let sensitivity: SensitivityCategory?
    package let count: Int?
    package let confidence: Int?
    /// As it was told, or for category 2 the month.
    package let observed: ObservationTime?
    package let observedFrom: Instant?
    package let observedTo: Instant?
    package let localFrom: CivilDate?
    package let localTo: CivilDate?
    /// The place, or the centre of its cell; nil for no public place.
    package let coordinate: Coordinate?
    /// The decimals of the cell; nil for a place as it was told.
    package let decimals: Int?
    /// Metres.
    package let uncertainty: Double?
    package let state: StateCode?
    package let region: RegionCode?
    package let country: CountryCode?
    package let captive: Bool?
    package let licence: Licence?
    /// Nil unless it is a record.
    package let geoprivacy: Geoprivacy?
    package let surveyProtocol: SurveyProtocol?
    /// Whether what was typed (notes, the name, an imported row), which is kept under this id, may be shown.
    package let showsContent: Bool
}

extension PublicSighting {
    static let columns: SQL = """
        s.id, s.kind, s.change, s.version, s.recorded_at, s.submitted_at, lower(s.valid) as known_since,
        lower(s.shown) as shown_since, s.status, s.reason, s.observer, s.dataset, s.taxon, s.qualifier, s.sensitivity,
        s.count, s.confidence, s.observed, s.observed_from, s.observed_to, s.local_from::text, s.local_to::text,
        s.latitude, s.longitude, s.cell, s.uncertainty, s.state, s.region, s.country, s.captive, s.licence,
        s.geoprivacy, s.protocol, s.content
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.id("id"),
            kind: try row.required(Kind(rawValue: row.decode("kind")), "kind"), change: try row.decode("change"),
            version: try row.decode("version"), recordedAt: try row.instant("recorded_at"),
            submittedAt: try row.instant("submitted_at"), knownSince: try row.decode("known_since"),
            shownSince: try row.decode("shown_since"), status: try row.word("status"),
            withdrawal: try row.word("reason"), observer: try row.id(optional: "observer"),
            dataset: try row.id(optional: "dataset"), taxon: try row.id(optional: "taxon"),
            qualifier: try row.word("qualifier"), sensitivity: try row.category("sensitivity"),
            count: try row.decode("count"), confidence: try row.decode("confidence"),
            observed: try row.observationTime("observed"), observedFrom: try row.instant("observed_from"),
            observedTo: try row.instant("observed_to"), localFrom: try row.date("local_from"),
            localTo: try row.date("local_to"), coordinate: try row.coordinate(), decimals: try row.decode("cell"),
            uncertainty: try row.decode("uncertainty"), state: try row.code("state"), region: try row.code("region"),
            country: try row.code("country"), captive: try row.decode("captive"), licence: try row.word("licence"),
            geoprivacy: try row.word("geoprivacy"), surveyProtocol: try row.word("protocol"),
            showsContent: try row.decode("content"))
    }
}
