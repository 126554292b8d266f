package import Domain

extension FieldReader {
    /// The filter of a list or a map.
    /// - Parameters:
    ///   - members: the members that the route accepts, in the order in which they are read. ``finish()`` rejects the
    ///     others like any unknown field.
    ///   - statuses: the words that `status` may have.
    ///   - places: the known regions.
    package mutating func recordFilter(
        accepting members: [RecordFilter.Member], statuses: [SightingStatus] = SightingStatus.allCases,
        _ places: PlaceIndex
    ) -> RecordFilter {
        var filter = RecordFilter()
        for member in members { read(member, of: &filter, statuses, places) }
        return filter
    }

    private mutating func read(
        _ member: RecordFilter.Member, of filter: inout RecordFilter, _ statuses: [SightingStatus],
        _ places: PlaceIndex
    ) {
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
            let words = optionalWords(name, count: 1...statuses.count) { (word) throws(RuleViolation) in
                guard let status = SightingStatus(rawValue: word), statuses.contains(status) else {
                    throw .vocabulary(statuses.map(\.rawValue))
                }
                return status
            }
            filter.statuses = Set(words ?? [])
        case .minConfidence: filter.minConfidence = optional(name, Int.self, Confidence.init(_:))
        case .maxUncertainty: filter.maxUncertainty = optional(name, Double.self, UncertaintyMetres.init(_:))
        case .hasPhoto: filter.hasPhoto = optional(name, Bool.self)
        case .captive: filter.captive = optional(name, Bool.self)
        case .dataset: filter.dataset = optional(name, DatasetChoice.init(text:))
        }
    }
}
