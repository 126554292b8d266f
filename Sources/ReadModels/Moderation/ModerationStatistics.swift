package import Domain
import EventLog
package import Postgres

/// The items that wait for moderators, and the decisions that were made.
package struct ModerationStatistics: Sendable {
    /// The items that wait for a decision now, including those with an open question to the observer.
    package struct Waiting: Sendable {
        package let photos: Int
        package let sightings: Int
        /// Sightings that wait for a second moderator.
        package let secondOpinions: Int
        /// The time since which the oldest item waits, of a guarded one the beginning of the month; nil if none does.
        package let oldest: Instant?
    }

    /// First decisions of an ISO week in UTC, and the seconds that items waited for them.
    package struct Week: Sendable {
        /// Such as 2026-W21.
        package let week: String
        package let decisions: Int
        /// Seconds that half of the items waited at most; nil in public weeks with few decisions.
        package internal(set) var median: Double?
        /// Seconds that 95 of 100 items waited at most; nil like the median.
        package internal(set) var p95: Double?
    }

    /// A moderator's decisions, and those of them that another decision changed later.
    package struct Decider: Sendable {
        package let moderator: AccountID
        package let decisions: Int
        package let overturned: Int
    }

    package let waiting: Waiting
    /// Weeks with decisions, the oldest first.
    package let weeks: [Week]
    /// Moderators with decisions, most decisions first.
    package let moderators: [Decider]
}

extension ModerationQueries {
    /// The statistics of the decisions since a moment, and of the items that wait now.
    ///
    /// Numbers that are read again and again tell when something came. So what came of guarded records in the month
    /// that is not over is not counted, as with everything that everyone sees of them.
    /// - Parameter month: the beginning of that month.
    /// - Throws: `PostgresError`.
    package func statistics(
        since moment: Instant, month: Instant
    ) async throws(PostgresError) -> ModerationStatistics {
        let month: SQL = "\(month.text())::text::timestamptz"
        let waits: SQL = """
            case when s.waiting_since < \(fragment: month) then true else \(fragment: isPublicWithTimes) end
            """
        // The item of each decision is found by its key, whatever the planner expects.
        let counted: SQL = """
            (select d.* from \(fragment: decisions) d
              where case when d.decided_at < \(fragment: month) then true
                         else exists (select from (select s.sighting from \(fragment: items)
                                                    where s.subject = d.subject and s.id = d.id offset 0) s
                                       where \(fragment: isPublicWithTimes)) end)
            """
        // Any guarded item of the month of the oldest one makes its beginning the answer. Those of later months, which
        // may be many, need not be looked up among the public records for it.
        let waiting = try await database.query(
            """
            with w as materialized (
                select count(*) filter (where s.subject = 'photo') as photos,
                       count(*) filter (where s.subject = 'sighting') as sightings,
                       count(*) filter (where s.review = 'second-opinion') as second_opinions,
                       min(s.waiting_since) as oldest
                  from \(fragment: items)
                 where s.waiting_since is not null and \(fragment: waits)
            )
            select w.photos, w.sightings, w.second_opinions,
                   case when exists (
                            select from \(fragment: items)
                             where s.waiting_since < \(fragment: month)
                               and date_trunc('month', s.waiting_since, 'UTC') = date_trunc('month', w.oldest, 'UTC')
                               and not \(fragment: isPublicWithTimes))
                        then date_trunc('month', w.oldest, 'UTC') else w.oldest end as oldest
              from w
            """
        ).onlyRow()
        let since: SQL = "\(moment.text())::text::timestamptz"
        return ModerationStatistics(
            waiting: try ModerationStatistics.Waiting(waiting),
            weeks: try await weeks(counted, since: since), moderators: try await moderators(counted, since: since))
    }

    /// The decisions of the last 26 ISO weeks that ended by a moment, on sightings, and their photos, that are now
    /// public with their times.
    /// - Throws: `PostgresError`.
    package func publicStatistics(by moment: Instant) async throws(PostgresError) -> PublicModerationStatistics {
        let monday: SQL = "date_trunc('week', \(moment.text())::text::timestamptz, 'UTC')"
        let visible: SQL = """
            (select d.* from \(fragment: decisions) d
               join \(fragment: items) on s.subject = d.subject and s.id = d.id
              where d.decided_at < \(fragment: monday) and \(fragment: isPublicWithTimes))
            """
        let since: SQL = "\(fragment: monday) - interval '26 weeks'"
        return PublicModerationStatistics(
            weeks: try await weeks(visible, since: since), moderators: try await moderators(visible, since: since))
    }

    /// The condition for an item of a table `s` whose sighting is public with its times.
    private var isPublicWithTimes: SQL {
        """
        exists (select from \(fragment: PublicIDs.rows(of: "s.sighting"))
                 where upper_inf(p.valid) and upper_inf(p.shown) and p.kind <> 'gone' and not p.guarded)
        """
    }

    private var decisions: SQL { "\(identifier: ReadModel.moderation.schema).decisions" }

    /// First decisions by week.
    /// - Parameter decisions: a table of decisions with all those before, or an expression for one.
    private func weeks(_ decisions: SQL, since: SQL) async throws(PostgresError) -> [ModerationStatistics.Week] {
        let weeks = try await database.query(
            """
            select to_char(d.decided_at at time zone 'UTC', 'IYYY-"W"IW') as week, count(*) as decisions,
                   percentile_cont(0.5) within group (order by d.waited) as median,
                   percentile_cont(0.95) within group (order by d.waited) as p95
              from (select distinct on (d.subject, d.id, d.raised_at)
                           d.decided_at, extract(epoch from d.decided_at - d.raised_at)::float8 as waited
                      from \(fragment: decisions) d where d.status <> 'pending'
                     order by d.subject, d.id, d.raised_at, d.version) d
             where d.decided_at >= \(fragment: since)
             group by week order by week
            """)
        return try weeks.rows.map(ModerationStatistics.Week.init)
    }

    /// Decisions by moderator.
    private func moderators(
        _ decisions: SQL, since: SQL
    ) async throws(PostgresError) -> [ModerationStatistics.Decider] {
        let moderators = try await database.query(
            """
            select d.moderator, count(*) as decisions, count(*) filter (where d.next <> d.status) as overturned
              from (select d.moderator, d.decided_at, d.status,
                           lead(d.status) over (partition by d.subject, d.id order by d.version) as next
                      from \(fragment: decisions) d) d
             where d.decided_at >= \(fragment: since)
             group by d.moderator order by decisions desc, d.moderator
            """)
        return try moderators.rows.map(ModerationStatistics.Decider.init)
    }
}

extension ModerationStatistics.Waiting {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        photos = try row.decode("photos")
        sightings = try row.decode("sightings")
        secondOpinions = try row.decode("second_opinions")
        oldest = try row.instant("oldest")
    }
}

extension ModerationStatistics.Week {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        week = try row.decode("week")
        decisions = try row.decode("decisions")
        median = try row.decode("median")
        p95 = try row.decode("p95")
    }
}

extension ModerationStatistics.Decider {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        moderator = try row.id("moderator")
        decisions = try row.decode("decisions")
        overturned = try row.decode("overturned")
    }
}
