package import Domain
import Service

extension FieldReader {
    /// The terms of a table of ranges, which are members of its filter; nil for other formats.
    /// - Parameters:
    ///   - format: nil where it is faulty; then members that it may not have are not reported.
    ///   - filter: the other members.
    package mutating func rangeTerms(
        for format: ExportFormat?, beside filter: RecordFilter, _ vocabulary: FilterVocabulary
    ) -> RangeTerms? {
        let taxa = optionalWords("taxa", count: 1...RangeTerms.mostTaxa, TaxonID.init(text:))
        let period = optional("period", RangePeriodKind.init(word:))
        let end = optional("end", RangeEnd.init(word:))
        let side = optional("cellKm", Int.self, CellSide.init(_:))
        let withPrompted = optional("prompted", Bool.self)
        let without = optionalWords("without", count: 1...RangeTerms.mostWithout, SightingID.init(text:))
        guard format == .ranges else {
            guard format != nil else { return nil }
            let given: [(String, Any?)] = [
                ("taxa", taxa), ("period", period), ("end", end), ("cellKm", side), ("prompted", withPrompted),
                ("without", without),
            ]
            for (name, value) in given where value != nil { note(name, .onlyOfRanges) }
            return nil
        }
        if let taxa, taxa.contains(where: { vocabulary.catalogue.names.summary(of: $0) == nil }) {
            note("taxa", .unknownTaxon)
        }
        switch [taxa != nil, filter.taxon != nil, filter.kind != nil].count(where: { $0 }) {
        case 0: note("taxa", RuleViolation(.required, "is required, or taxon, or kind"))
        case 1: break
        default:
            note(
                taxa == nil ? RecordFilter.Member.kind.rawValue : "taxa",
                RuleViolation(.conflict, "must be the only one of taxa, taxon and kind"))
        }
        return RangeTerms(
            taxa: taxa ?? [], period: period ?? .year, end: end, side: side ?? .ten,
            withPrompted: withPrompted ?? false, without: without ?? [])
    }
}

extension RuleViolation {
    /// The member belongs to the format `ranges`.
    fileprivate static let onlyOfRanges = RuleViolation(.unexpected, "is only for the format ranges")
}

extension FilterVocabulary {
    /// Whether all taxa that a request for a table of ranges names have ranges: those above genus have none.
    package func haveRanges(_ terms: RangeTerms?, _ filter: RecordFilter) -> Bool {
        guard let terms else { return true }
        return (terms.taxa + [filter.taxon].compactMap { $0 }).allSatisfy { taxon in
            catalogue.names.summary(of: taxon).map { $0.rank >= .genus } ?? true
        }
    }
}
