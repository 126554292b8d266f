extension RecordFilter {
    /// The conditions that choose whole visits: where and when they were, and of which dataset. All others choose
    /// among the records of a visit.
    package static let conditionsOfVisits: Set<Member> = [.region, .state, .country, .box, .from, .to, .dataset]

    /// The conditions that are set and would tear visits apart. ``statuses`` are none: a visit with a record of
    /// another status is not complete.
    package var conditionsOfRecords: [Member] {
        Member.allCases.filter { member in
            switch member {
            case .taxon: taxon != nil
            case .kind: kind != nil
            case .minConfidence: minConfidence != nil
            case .maxUncertainty: maxUncertainty != nil
            case .hasPhoto: hasPhoto != nil
            case .captive: captive != nil
            case .region, .state, .country, .box, .from, .to, .statuses, .dataset: false
            }
        }
    }
}
