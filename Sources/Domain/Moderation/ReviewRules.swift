/// The rules that decisions about photos and about sightings share.
enum ReviewRules {
    /// A rejection has a reason, no other decision has one; "other" and a question have a note.
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
}
