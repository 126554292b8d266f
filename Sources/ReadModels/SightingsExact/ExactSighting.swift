package import Domain
internal import Postgres

/// A sighting with its true place and date, in the state one of its events left it in.
///
/// What was typed is content beside the log. Of a record whose payload was redacted only what is left is here.
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
    /// How far it had come; nil when a payload it needs was redacted.
    package let status: SightingStatus?
    /// Why it was withdrawn; nil unless it is.
    package let withdrawal: WithdrawalReason?
    /// The account that submitted it; nil for imports.
    package let observer: AccountID?
    /// The dataset it was imported with; nil for what birders submitted.
    package let dataset: DatasetID?
    /// The import that touched it last.
    package let batch: BatchID?
    /// The fingerprint of the imported row's content.
    package let occurrence: Fingerprint?
    /// Nil for unidentified.
    package let taxon: TaxonID?
    /// What was said beyond the taxon.
    package let qualifier: TaxonQualifier?
    /// The most sensitive category its own events recorded; what taxa became since is in ``PublicSighting``.
    package let sensitivity: SensitivityCategory?
    /// Nil for present but not counted.
    package let count: Int?
    /// 1 to 10; nil for imports.
    package let confidence: Int?
    /// As it was told.
    package let observed: ObservationTime?
    /// The zone in which a date, a month or a year is read.
    package let zone: ZoneName?
    /// The first moment at which it may have been seen.
    package let observedFrom: Instant?
    /// For an instant the same moment, else the first moment after the interval.
    package let observedTo: Instant?
    /// The first date on which it may have been seen, as clocks at the place had it.
    package let localFrom: CivilDate?
    /// The last such date.
    package let localTo: CivilDate?
    /// The place exactly as it was told.
    package let coordinate: Coordinate?
    /// Metres.
    package let uncertainty: Double?
    /// The state, province or territory of the place; nil for none.
    package let state: StateCode?
    /// The region of the place; nil for none.
    package let region: RegionCode?
    /// The country of the place; nil for none.
    package let country: CountryCode?
    /// How the state was found.
    package let basis: Place.Basis?
    /// Metres to the nearest polygon, where that is how the state was found.
    package let distance: Double?
    /// Whether it was kept or planted by people; nil where nobody said.
    package let captive: Bool?
    /// Nil where an import has none.
    package let licence: Licence?
    /// Nil for imports, which are open.
    package let geoprivacy: Geoprivacy?
    /// The visit it belongs to; nil for none.
    package let visit: Visit?
    /// Nil for imports.
    package let surveyProtocol: SurveyProtocol?
    /// The targets that asked for this taxon then.
    package let promptedBy: TargetsID?
}

extension ExactSighting {
    static let columns: SQL = """
        s.id, s.version, lower(s.valid) as position, s.recorded_at, s.submitted_at, s.status, s.reason, s.observer,
        s.dataset, s.batch, s.occurrence, s.taxon, s.qualifier, s.sensitivity, s.count, s.confidence, s.observed,
        s.observed_zone, s.observed_from, s.observed_to, s.local_from::text, s.local_to::text, s.latitude, s.longitude,
        s.uncertainty, s.state, s.region, s.country, s.place_basis, s.place_distance, s.captive, s.licence,
        s.geoprivacy, s.visit, s.protocol, s.prompted_by
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        let status: String = try row.decode("status")
        self.init(
            id: try row.id("id"), version: try row.decode("version"), position: try row.decode("position"),
            recordedAt: try row.required(row.instant("recorded_at"), "recorded_at"),
            submittedAt: try row.required(row.instant("submitted_at"), "submitted_at"),
            status: status == "redacted" ? nil : try row.word("status"), withdrawal: try row.word("reason"),
            observer: try row.id(optional: "observer"), dataset: try row.id(optional: "dataset"),
            batch: try row.id(optional: "batch"), occurrence: try row.code("occurrence"),
            taxon: try row.id(optional: "taxon"), qualifier: try row.word("qualifier"),
            sensitivity: try row.category("sensitivity"), count: try row.decode("count"),
            confidence: try row.decode("confidence"), observed: try row.observationTime("observed"),
            zone: try row.code("observed_zone"), observedFrom: try row.instant("observed_from"),
            observedTo: try row.instant("observed_to"), localFrom: try row.date("local_from"),
            localTo: try row.date("local_to"), coordinate: try row.coordinate(),
            uncertainty: try row.decode("uncertainty"), state: try row.code("state"), region: try row.code("region"),
            country: try row.code("country"), basis: try row.word("place_basis"),
            distance: try row.decode("place_distance"), captive: try row.decode("captive"),
            licence: try row.word("licence"), geoprivacy: try row.word("geoprivacy"), visit: try row.visit("visit"),
            surveyProtocol: try row.word("protocol"), promptedBy: try row.id(optional: "prompted_by"))
    }
}
