package import JSON

/// The conditions for the records of a list, a map or an export. Every record meets a condition that is nil or empty.
///
/// Each compares a value that guarded records show, too: see "What guarded records and photos show" in
/// `docs/privacy.md`. Guarded records show neither confidence nor photos, so ``minConfidence`` finds none of them, and
/// ``hasPhoto`` takes them for records without a photo.
package struct RecordFilter: Hashable, Sendable {
    /// A condition, under its name in requests.
    package enum Member: String, CaseIterable, Hashable, Sendable {
        case taxon, kind, region, state, country
        case box = "bbox"
        case from, to
        case statuses = "status"
        case minConfidence
        case maxUncertainty = "maxUncertaintyMetres"
        case hasPhoto
        case captive, dataset

        package static let all = Set(allCases)
    }

    /// The taxon or one below it.
    package var taxon: TaxonID?
    package var kind: TaxonKind?
    package var region: RegionCode?
    package var state: StateCode?
    package var country: CountryCode?
    /// Records without a place are in no box, not even in that of the whole Earth.
    package var box: BoundingBox?
    /// The whole interval lies on or after this local date.
    package var from: CivilDate?
    /// The whole interval lies on or before this local date.
    package var to: CivilDate?
    /// One of these.
    package var statuses: Set<SightingStatus>
    /// The record has a confidence, which imported and guarded ones have not, and it is at least this.
    package var minConfidence: Confidence?
    /// The record has a place, whose uncertainty is at most this, or unknown.
    package var maxUncertainty: UncertaintyMetres?
    /// Whether the record has a photo that is shown with it.
    package var hasPhoto: Bool?
    package var captive: Bool?
    package var dataset: DatasetChoice?

    package init(
        taxon: TaxonID? = nil, kind: TaxonKind? = nil, region: RegionCode? = nil, state: StateCode? = nil,
        country: CountryCode? = nil, box: BoundingBox? = nil, from: CivilDate? = nil, to: CivilDate? = nil,
        statuses: Set<SightingStatus> = [], minConfidence: Confidence? = nil,
        maxUncertainty: UncertaintyMetres? = nil, hasPhoto: Bool? = nil, captive: Bool? = nil,
        dataset: DatasetChoice? = nil
    ) {
        (self.taxon, self.kind) = (taxon, kind)
        (self.region, self.state, self.country, self.box) = (region, state, country, box)
        (self.from, self.to, self.statuses) = (from, to, statuses)
        (self.minConfidence, self.maxUncertainty, self.hasPhoto) = (minConfidence, maxUncertainty, hasPhoto)
        (self.captive, self.dataset) = (captive, dataset)
    }

    /// The text of the filter, for the scope of cursors and for whatever is derived from a query. Equal filters have
    /// the same text, different filters different texts. Cursors depend on it and do not expire, so it must not change;
    /// a new member must not change the text of filters without it.
    package var canonical: String {
        var writer = PayloadWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Writes the conditions that are set, as the members of an object.
    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("kind", kind)
            writer.field("region", region)
            writer.field("state", state)
            writer.field("country", country)
            if let box {
                writer.field("west", number: box.west)
                writer.field("south", number: box.south)
                writer.field("east", number: box.east)
                writer.field("north", number: box.north)
            }
            writer.field("from", from)
            writer.field("to", to)
            writer.field("status", statuses.sorted { $0.rawValue < $1.rawValue })
            writer.field("maxUncertaintyMetres", maxUncertainty)
            writer.field("captive", captive)
            writer.field("dataset", dataset)
            writer.field("minConfidence", minConfidence)
            writer.field("hasPhoto", hasPhoto)
        }
    }
}

extension RecordFilter {
    /// The statuses that an answer under the filter can have, in the order in which answers name them.
    package var shownStatuses: [SightingStatus] {
        statuses.isEmpty ? SightingStatus.ofRecords : SightingStatus.ofRecords.filter(statuses.contains)
    }
}

/// A filter in a payload is the object that ``RecordFilter/canonical`` is the text of.
extension RecordFilter: PayloadValue {
    /// - Throws: ``RuleViolation`` naming the member.
    package init(payload: JSONValue) throws(RuleViolation) {
        self.init(
            taxon: try payload.optional("taxon"), kind: try payload.optional("kind"),
            region: try payload.optional("region"), state: try payload.optional("state"),
            country: try payload.optional("country"), box: try Self.box(payload), from: try payload.optional("from"),
            to: try payload.optional("to"), statuses: try Self.statuses(payload),
            minConfidence: try payload.optional("minConfidence"),
            maxUncertainty: try payload.optional("maxUncertaintyMetres"), hasPhoto: try payload.optional("hasPhoto"),
            captive: try payload.optional("captive"), dataset: try payload.optional("dataset"))
    }

    private static func box(_ payload: JSONValue) throws(RuleViolation) -> BoundingBox? {
        guard let west = payload["west"]?.number, let south = payload["south"]?.number,
            let east = payload["east"]?.number, let north = payload["north"]?.number
        else { return nil }
        return try BoundingBox(west: west, south: south, east: east, north: north)
    }

    private static func statuses(_ payload: JSONValue) throws(RuleViolation) -> Set<SightingStatus> {
        guard case .array(let items)? = payload["status"] else { return [] }
        var statuses: Set<SightingStatus> = []
        for item in items { statuses.insert(try SightingStatus(payload: item)) }
        return statuses
    }
}
