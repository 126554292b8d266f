import JSON

extension RecordFilter {
    /// The conditions that choose whole visits: where and when they were, and of which dataset. All others choose
    /// among the records of a visit.
    package static let conditionsOfVisits: Set<Member> = [.region, .state, .country, .box, .from, .to, .dataset]

    /// The conditions that are set and would split visits. ``statuses`` is not one of them: a visit with a record of
    /// another status is not complete.
    package var conditionsOfRecords: [Member] {
        guard let payload = try? JSONValue(parsing: Array(canonical.utf8)) else { return [] }
        let others = Member.all.subtracting(Self.conditionsOfVisits).subtracting([.statuses])
        return Member.allCases.filter { others.contains($0) && payload[$0.rawValue] != nil }
    }
}
