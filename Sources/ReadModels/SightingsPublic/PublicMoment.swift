internal import Postgres

/// As of when a public answer is given. The same question at the same moment has the same answer for ever, short of
/// redactions.
package struct PublicMoment: Hashable, Sendable {
    /// What was known: knowledge above this position is not in the answer.
    package let known: Int64
    /// What may be shown: restrictions up to this position are.
    package let shown: Int64

    /// What was known of records of category 2. Asking for one position after the other would tell when each was sent
    /// in, and so what else its observer saw then: where a position is asked for, this is the last one of the month
    /// before.
    package let guarded: Int64

    /// As of a position, under the restrictions up to another one, which is not below it.
    /// - Parameter guarded: nil for `known`.
    package init(known: Int64, shown: Int64, guarded: Int64? = nil) {
        self.known = known
        self.shown = max(known, shown)
        self.guarded = min(known, guarded ?? known)
    }

    /// The position of what was known of a row of a table `s` of records.
    var position: SQL { "case when s.guarded then \(guarded) else \(known) end" }

    /// The rows of a table `s` of records that live then.
    var condition: SQL { "s.valid @> \(fragment: position) and s.shown @> \(shown)" }
}
