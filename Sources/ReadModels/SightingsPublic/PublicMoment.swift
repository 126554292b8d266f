internal import Postgres

/// The two positions of a public answer. The same query at the same moment always has the same answer, except after
/// redactions.
package struct PublicMoment: Hashable, Sendable {
    /// P: knowledge above this position is not in the answer.
    package let known: Int64
    /// R: restrictions up to this position apply.
    package let shown: Int64

    /// P for records of category 2. Querying one position after another would reveal when each was submitted, and so
    /// what else its observer saw then: if a position was requested, this is the last one of the month before.
    package let guarded: Int64

    /// As of a position, under the restrictions up to another one, which is not below it.
    /// - Parameter guarded: nil for `known`.
    package init(known: Int64, shown: Int64, guarded: Int64? = nil) {
        self.known = known
        self.shown = max(known, shown)
        self.guarded = min(known, guarded ?? known)
    }

    /// P for a row of a table `s` of records.
    var position: SQL { "case when s.guarded then \(guarded) else \(known) end" }

    /// The condition for rows of a table `s` of records at this moment.
    var condition: SQL { "s.valid @> \(fragment: position) and s.shown @> \(shown)" }
}
