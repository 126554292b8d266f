package import Domain
import EventLog
import Postgres

/// A sighting as anyone may see it.
package struct PublicSighting: Hashable, Sendable {
    /// How much of it is public.
    package enum Kind: String, Hashable, Sendable {
        /// A record.
        case record
        /// It was withdrawn: id, taxon, status, reason and date are shown.
        case tombstone
        /// It was withdrawn for privacy or redacted, or is no longer public under this id: only that is shown.
        case gone
    }

    /// Its public id; the sighting's own only if it is not generalised.
    package let id: SightingID
    /// How much of it is public.
    package let kind: Kind
    /// The type of the event that brought this knowledge; nil when gone.
    package let change: String?
    /// The version of that event; nil if guarded, as are the times.
    package let version: Int?
    /// When that event was recorded.
    package let recordedAt: Instant?
    /// When the sighting's first event was recorded.
    package let submittedAt: Instant?
    /// The position of that event. Must never be returned to clients.
    package let knownSince: Int64
    /// Nil when gone.
    package let status: SightingStatus?
    /// Why it was withdrawn.
    package let withdrawal: WithdrawalReason?
    /// The first of the reasons for which it was rejected.
    package let rejection: SightingReason?
    /// The observer's pseudonym; nil for imports, if guarded, and when not a record.
    package let observer: ObserverID?
    /// The dataset it was imported with; nil for submissions.
    package let dataset: DatasetID?
    /// The taxon; nil for unidentified and when gone.
    package let taxon: TaxonID?
    package let qualifier: TaxonQualifier?
    /// The category its place is generalised for; nil for none.
    package let sensitivity: SensitivityCategory?
    /// How many there were; nil for present but not counted, and if guarded.
    package let count: Int?
    /// How many there were, if guarded; nil for present but not counted.
    package let countRange: CountRange?
    /// How sure the observer is; nil for imports, and if guarded.
    package let confidence: Int?
    /// As reported, or only the day, or, if guarded, only the month.
    package let observed: ObservationTime?
    /// The first moment at which it may have been seen, as far as that may be public.
    package let observedFrom: Instant?
    /// For an instant the same moment, else the first moment after the interval.
    package let observedTo: Instant?
    /// The first local date on which it may have been seen.
    package let localFrom: CivilDate?
    /// The last such date.
    package let localTo: CivilDate?
    /// The place, or the centre of its cell; nil for no public place.
    package let coordinate: Coordinate?
    /// The decimals of the cell; nil for an exact place.
    package let decimals: Int?
    /// Metres.
    package let uncertainty: Double?
    /// The state, province or territory; nil unless all of the public place lies in one.
    package let state: StateCode?
    /// The region; nil unless all of the public place lies in one.
    package let region: RegionCode?
    /// The country; nil unless all of the public place lies in one.
    package let country: CountryCode?
    /// Whether it was kept or planted by people; nil if unknown.
    package let captive: Bool?
    /// The licence it is given under; nil where an import has none, and unless it is a record.
    package let licence: Licence?
    /// Nil unless it is a record.
    package let geoprivacy: Geoprivacy?
    /// How the observer was looking; nil for imports, and if guarded.
    package let surveyProtocol: SurveyProtocol?
    /// Whether the sighting's content (notes, the name, an imported row) may be shown.
    package let showsContent: Bool
}

extension PublicSighting {
    /// In the order in which ``init(_:)`` reads them, which is quickest.
    static let columns = [
        "id", "guarded", "shown", "named", "widened", "kind", "change", "version", "recorded_at", "submitted_at",
        "valid", "status", "reason", "observer", "dataset", "taxon", "qualifier", "sensitivity", "count",
        "count_range", "confidence", "observed", "observed_precision", "observed_from", "observed_to", "local_from",
        "local_to", "latitude", "longitude", "cell", "uncertainty", "state", "region", "country", "captive", "licence",
        "geoprivacy", "protocol", "content",
    ]

    /// The columns of a table `s` as ``init(_:)`` reads them.
    static let selection = PostgresRow.selection(
        columns.filter { !["guarded", "shown", "named", "widened", "observed_precision"].contains($0) })

    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.id("id"),
            kind: try row.required(Kind(rawValue: row.decode("kind")), "kind"), change: try row.decode("change"),
            version: try row.decode("version"), recordedAt: try row.instant("recorded_at"),
            submittedAt: try row.instant("submitted_at"), knownSince: try row.decode("valid"),
            status: try row.word("status"),
            withdrawal: WithdrawalReason(rawValue: try row.decode("reason") ?? ""),
            rejection: SightingReason(rawValue: try row.decode("reason") ?? ""),
            observer: try row.id(optional: "observer"),
            dataset: try row.id(optional: "dataset"), taxon: try row.id(optional: "taxon"),
            qualifier: try row.word("qualifier"), sensitivity: try row.category("sensitivity"),
            count: try row.decode("count"), countRange: try row.word("count_range"),
            confidence: try row.decode("confidence"),
            observed: try row.observationTime("observed"), observedFrom: try row.instant("observed_from"),
            observedTo: try row.instant("observed_to"), localFrom: try row.date("local_from"),
            localTo: try row.date("local_to"), coordinate: try row.coordinate(), decimals: try row.decode("cell"),
            uncertainty: try row.decode("uncertainty"), state: try row.code("state"), region: try row.code("region"),
            country: try row.code("country"), captive: try row.decode("captive"), licence: try row.word("licence"),
            geoprivacy: try row.word("geoprivacy"), surveyProtocol: try row.word("protocol"),
            showsContent: try row.decode("content"))
    }
}
