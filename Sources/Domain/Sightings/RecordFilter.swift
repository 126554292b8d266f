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
}

extension RecordFilter {
    /// The statuses that an answer under the filter can have, in the order in which answers name them.
    package var shownStatuses: [SightingStatus] {
        statuses.isEmpty ? SightingStatus.ofRecords : SightingStatus.ofRecords.filter(statuses.contains)
    }
}

/// A filter in a payload is the object that ``RecordFilter/canonical`` is the text of.
extension RecordFilter: PayloadValue {
    /// In the order in which they are written. Their names and their order never change; new ones are optional.
    private static let conditions: [Condition] = [
        Condition("taxon", \.taxon),
        Condition("kind", \.kind),
        Condition("region", \.region),
        Condition("state", \.state),
        Condition("country", \.country),
        .box,
        Condition("from", \.from),
        Condition("to", \.to),
        .statuses,
        Condition("maxUncertaintyMetres", \.maxUncertainty),
        Condition("captive", \.captive),
        Condition("dataset", \.dataset),
        Condition("minConfidence", \.minConfidence),
        Condition("hasPhoto", \.hasPhoto),
    ]

    /// - Throws: ``RuleViolation`` naming the member.
    package init(payload: JSONValue) throws(RuleViolation) {
        self.init()
        for condition in Self.conditions { try condition.read(payload, &self) }
    }

    /// Writes the conditions that are set, as the members of an object.
    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            for condition in Self.conditions { condition.write(self, &writer) }
        }
    }
}

/// A condition as members of the object.
private struct Condition: Sendable {
    let read: @Sendable (JSONValue, inout RecordFilter) throws(RuleViolation) -> Void
    let write: @Sendable (RecordFilter, inout PayloadWriter) -> Void
}

extension Condition {
    /// A member that is absent where there is no condition.
    init<Value: PayloadValue>(
        _ name: String, _ value: any WritableKeyPath<RecordFilter, Value?> & Sendable
    ) {
        self.init(
            read: { payload, filter throws(RuleViolation) in filter[keyPath: value] = try payload.optional(name) },
            write: { filter, writer in writer.field(name, filter[keyPath: value]) })
    }

    /// A member for each side.
    static var box: Self {
        Self(
            read: { payload, filter throws(RuleViolation) in
                guard let west = payload["west"]?.number, let south = payload["south"]?.number,
                    let east = payload["east"]?.number, let north = payload["north"]?.number
                else { return }
                filter.box = try BoundingBox(west: west, south: south, east: east, north: north)
            },
            write: { filter, writer in
                guard let box = filter.box else { return }
                writer.field("west", number: box.west)
                writer.field("south", number: box.south)
                writer.field("east", number: box.east)
                writer.field("north", number: box.north)
            })
    }

    static var statuses: Self {
        Self(
            read: { payload, filter throws(RuleViolation) in
                guard case .array(let items)? = payload["status"] else { return }
                for item in items { filter.statuses.insert(try SightingStatus(payload: item)) }
            },
            write: { filter, writer in
                writer.field("status", filter.statuses.sorted { $0.rawValue < $1.rawValue })
            })
    }
}
