/// The rules shared by decisions on photos and on sightings.
enum ReviewRules {
    /// Only a rejection has reasons, at least one; "other" and a question need a note.
    static func faults(_ decision: ReviewDecision, hasReasons: Bool, isOther: Bool, note: Remarks?) -> Faults {
        var faults = Faults()
        if decision == .reject {
            if !hasReasons { faults.add("/reasons", .required) }
        } else if hasReasons {
            faults.add("/reasons", RuleViolation(.conflict, "must be empty unless the decision is reject"))
        }
        if note == nil, isOther || decision == .ask { faults.add("/note", .required) }
        return faults
    }

    /// The reasons without repetitions, in their order.
    static func once<Reason: Vocabulary>(_ reasons: [Reason]) -> [Reason] {
        var seen: Set<Reason> = []
        return reasons.filter { seen.insert($0).inserted }
    }
}
