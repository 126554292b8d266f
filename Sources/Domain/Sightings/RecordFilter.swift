/// The conditions for the records of a list, a map or an export. Every record meets a condition that is nil or empty.
///
/// Each compares a value that guarded records show, too: see "What guarded records and photos show" in
/// `docs/privacy.md`. Confidence and photos, which guarded records hide, are not among them.
package struct RecordFilter: Hashable, Sendable {
    /// A condition, under its name in requests.
    package enum Member: String, CaseIterable, Hashable, Sendable {
        case taxon, kind, region, state, country
        case box = "bbox"
        case from, to
        case statuses = "status"
        case maxUncertainty = "maxUncertaintyMetres"
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
    /// The record has a place, whose uncertainty is at most this, or unknown.
    package var maxUncertainty: UncertaintyMetres?
    package var captive: Bool?
    package var dataset: DatasetID?

    package init(
        taxon: TaxonID? = nil, kind: TaxonKind? = nil, region: RegionCode? = nil, state: StateCode? = nil,
        country: CountryCode? = nil, box: BoundingBox? = nil, from: CivilDate? = nil, to: CivilDate? = nil,
        statuses: Set<SightingStatus> = [], maxUncertainty: UncertaintyMetres? = nil, captive: Bool? = nil,
        dataset: DatasetID? = nil
    ) {
        (self.taxon, self.kind) = (taxon, kind)
        (self.region, self.state, self.country, self.box) = (region, state, country, box)
        (self.from, self.to, self.statuses) = (from, to, statuses)
        (self.maxUncertainty, self.captive, self.dataset) = (maxUncertainty, captive, dataset)
    }

    /// The text of the filter, for the scope of cursors and for whatever is derived from a query. Equal filters have
    /// the same text, different filters different texts. Cursors depend on it and do not expire, so it must not change;
    /// a new member must not change the text of filters without it.
    package var canonical: String {
        var writer = PayloadWriter()
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
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
