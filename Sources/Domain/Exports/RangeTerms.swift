/// The terms of a table of ranges besides its filter: the taxa that have rows, how their records are divided, and the
/// rule by which they count.
package struct RangeTerms: PayloadObject, Hashable {
    /// The most taxa that a request may name, and the most records that it may leave out.
    package static let (mostTaxa, mostWithout) = (1_000, 1_000)

    /// Sorted; empty where the filter names the taxon or the kind.
    package let taxa: [TaxonID]
    package let period: RangePeriodKind
    /// The end of which there are figures; nil for both.
    package let end: RangeEnd?
    package let side: CellSide
    /// Whether records that targets prompted count.
    package let withPrompted: Bool
    /// The public ids of records that the table is computed without, sorted.
    package let without: [SightingID]

    static let shape = Shape<Self>(
        Self.init,
        .list("taxa", \.taxa),
        .required("period", \.period),
        .optional("end", \.end),
        .required("cellKm", \.side),
        .required("prompted", \.withPrompted),
        .list("without", \.without))

    package init(
        taxa: [TaxonID] = [], period: RangePeriodKind = .year, end: RangeEnd? = nil, side: CellSide = .ten,
        withPrompted: Bool = false, without: [SightingID] = []
    ) {
        self.taxa = Set(taxa).sorted()
        (self.period, self.end, self.side, self.withPrompted) = (period, end, side, withPrompted)
        self.without = Set(without).sorted()
    }

    /// The text of the terms, for content ids. Equal terms have the same text; it must not change.
    package var canonical: String {
        var writer = PayloadWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension RangeTerms {
    /// The filter of the records that a table considers: those that its rows count, and those that they leave out. The
    /// region only selects rows, and the least confidence and the greatest uncertainty belong to the rule.
    package static func looked(_ filter: RecordFilter) -> RecordFilter {
        var looked = filter
        (looked.region, looked.minConfidence, looked.maxUncertainty) = (nil, nil, nil)
        return looked
    }
}

extension RangeQuery {
    /// The query for the range of one of the table's taxa.
    package init(of taxon: TaxonID, in filter: RecordFilter, _ terms: RangeTerms) {
        var records = filter
        (records.taxon, records.kind, records.region) = (nil, nil, nil)
        self.init(
            of: taxon, records, period: terms.period, side: terms.side, region: filter.region, end: terms.end,
            withPrompted: terms.withPrompted)
    }
}
