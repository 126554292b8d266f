package import Domain
package import Postgres

/// The positions of a public answer. The same query at the same moment always has the same answer, except after
/// redactions.
///
/// Guarded records (category 2, private) and the totals of category 1 appear, change and disappear only when the month
/// of that event is over. Otherwise a client that polls, or requests one date after the other, would learn when each
/// was submitted, and so what else its observer saw then.
package struct PublicMoment: Hashable, Sendable {
    /// P: knowledge above this position is not in the answer.
    package let known: Int64
    /// R: restrictions up to this position apply.
    package let shown: Int64
    /// P for guarded records: the last position of the last month that is over at P.
    package let guarded: Int64
    /// The last position of the last month that is over now. A record that a later restriction made guarded is not
    /// shown yet: otherwise it would appear at the moment when its former id disappears.
    package let settled: Int64
    /// The day (UTC) at whose end the answer is as of; nil for the present.
    package let day: CivilDate?

    /// As of a position, under the restrictions up to another one, which is not below it.
    /// - Parameters:
    ///   - guarded: nil for `known`.
    ///   - settled: nil for `shown`.
    package init(
        known: Int64, shown: Int64, guarded: Int64? = nil, settled: Int64? = nil, of day: CivilDate? = nil
    ) {
        self.day = day
        self.known = known
        self.shown = max(known, shown)
        self.settled = min(self.shown, settled ?? self.shown)
        self.guarded = min(known, self.settled, guarded ?? known)
    }

    /// The same moment with later restrictions.
    package func underRestrictions(upTo position: Int64) -> PublicMoment {
        PublicMoment(known: known, shown: max(shown, position), guarded: guarded, settled: settled, of: day)
    }

    /// The condition for rows of a table `s` of records at this moment.
    var condition: SQL {
        """
        s.shown @> \(shown) and case when s.guarded then \(fragment: guardedCondition) else s.valid @> \(known) end
        """
    }

    /// The condition for the rows of a table `s` of records that make up a history.
    var historyCondition: SQL {
        """
        s.shown @> \(shown)
        and case when s.guarded then \(fragment: guardedCondition) else lower(s.valid) <= \(known) end
        """
    }

    /// The condition for rows of a table `s` of photos at this moment.
    package var photoCondition: SQL {
        """
        s.shown @> \(shown)
        and case when s.guarded then \(fragment: guardedPhotoCondition) else s.valid @> \(known) end
        """
    }

    /// As of a day, guarded photos are not shown: they change in the same month as their records, so requests for one
    /// day after another would reveal which record a photo belongs to.
    private var guardedPhotoCondition: SQL {
        guard day == nil else { return "false" }
        return "s.valid @> \(guarded) and s.named <= \(settled) and (s.widened > \(known)) is not false"
    }

    /// The condition for rows of a table `s` of withheld records. Restrictions wait for the end of the month, too: a
    /// total that fell at once would show who had just withdrawn such a record.
    package var totalsCondition: SQL {
        "s.shown @> \(settled) and s.valid @> \(guarded) and s.named <= \(settled)"
    }

    /// Removals (`gone`) take effect at once, not at the end of a month.
    private var guardedCondition: SQL {
        """
        s.valid @> \(guarded) and (s.kind = 'gone' or s.named <= \(settled))
        and (s.widened > \(known)) is not false
        """
    }
}
