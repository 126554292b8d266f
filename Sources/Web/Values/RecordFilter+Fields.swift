package import Domain

extension FieldReader {
    /// The filter of a list or a map.
    /// - Parameters:
    ///   - members: the members that the route accepts, in the order in which they are read. ``finish()`` rejects the
    ///     others like any unknown field.
    ///   - places: the known regions.
    package mutating func recordFilter(
        accepting members: [RecordFilter.Member], _ places: PlaceIndex
    ) -> RecordFilter {
        var filter = RecordFilter()
        for member in members { read(member, of: &filter, places) }
        return filter
    }

    private mutating func read(_ member: RecordFilter.Member, of filter: inout RecordFilter, _ places: PlaceIndex) {
        let name = member.rawValue
        switch member {
        case .taxon: filter.taxon = optional(name, TaxonID.init(text:))
        case .kind: filter.kind = optional(name, TaxonKind.init(word:))
        case .region:
            filter.region = optional(name) { (text) throws(RuleViolation) in
                try places.region(try RegionCode(text)).code
            }
        case .state: filter.state = optional(name) { (text) throws(RuleViolation) in try StateCode(text) }
        case .country: filter.country = optional(name) { (text) throws(RuleViolation) in try CountryCode(text) }
        case .box: filter.box = optional(name, BoundingBox.init(_:))
        case .from: filter.from = optional(name, CivilDate.init(_:))
        case .to: filter.to = optional(name, CivilDate.init(_:))
        case .statuses:
            let count = 1...SightingStatus.allCases.count
            filter.statuses = Set(optionalWords(name, count: count, SightingStatus.init(word:)) ?? [])
        case .maxUncertainty: filter.maxUncertainty = optional(name, Double.self, UncertaintyMetres.init(_:))
        case .captive: filter.captive = optional(name, Bool.self)
        case .dataset: filter.dataset = optional(name, DatasetID.init(text:))
        }
    }
}
