internal import Postgres

/// As of when a public answer is given. The same question at the same moment has the same answer for ever, short of
/// redactions.
package struct PublicMoment: Hashable, Sendable {
    /// What was known: knowledge above this position is not in the answer.
    package let known: Int64
    /// What may be shown: restrictions up to this position are.
    package let shown: Int64

    /// As of a position, under the restrictions up to another one, which is not below it.
    package init(known: Int64, shown: Int64) {
        self.known = known
        self.shown = max(known, shown)
    }

    /// The rows of a table `s` that live then.
    var condition: SQL { "s.valid @> \(known) and s.shown @> \(shown)" }
}
