import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels

/// The statements that find what an account has not been notified of, and that record it.
///
/// They are single statements with many parts, because a statement sees one state of all tables. Each part is found by
/// an index; the captures are those of a year.
struct InboxNews {
    /// Changes of captures in weeks further back are not reported.
    private static let captureWeeks = 52

    private let account: UUID
    private let regions: [String]
    private let mondays: [String]
    /// The first week whose captures are compared.
    private let first: ISOWeek
    private let captures: SQL

    /// - Parameter running: the running week of each region.
    init(of account: AccountID, running: [RegionCode: ISOWeek]) {
        self.account = account.uuid
        let weeks = running.sorted { $0.key.text < $1.key.text }
        regions = weeks.map(\.key.text)
        mondays = weeks.map(\.value.monday.description)
        first = (running.values.min() ?? ISOWeek(of: Instant.now.date())).adding(weeks: -Self.captureWeeks)
        captures = CaptureQueries.captures(of: account, since: first)
    }

    /// Whether something is new, the number of fillings so far (null: the account has no notifications yet), and the
    /// newest number.
    var found: SQL {
        """
        WITH \(fragment: parts)
        SELECT EXISTS (SELECT FROM own) AND (NOT EXISTS (SELECT FROM known) OR EXISTS (SELECT FROM news)) AS due,
               (SELECT i.fills FROM vault.inboxes i WHERE i.account = \(account)) AS fills,
               (SELECT b.number FROM base b) AS newest, (SELECT o.region FROM own o) AS region
        """
    }

    /// Records what is new unless there were more fillings: then nothing changes, and no row is returned. The row of
    /// `vault.inboxes` is the lock; it is compared again after waiting for it.
    /// - Parameter fills: the number of fillings so far.
    func recorded(after fills: Int64) -> SQL {
        """
        WITH \(fragment: parts), marked AS (
            UPDATE vault.inboxes i
               SET fills = i.fills + 1, region = p.region,
                   since = coalesce(greatest(p.since, p.running - 7), \(first.monday.description)::text::date)
              FROM place p WHERE i.account = \(account) AND i.fills = \(fills)
            RETURNING i.region
        ), added AS (
            INSERT INTO vault.inbox (account, number, review, kind, region, monday, target, finding, at)
            SELECT \(account), b.number + row_number() OVER (ORDER BY n.part, n.moment, n.rank, n.target), n.review,
                   n.kind, n.region, n.monday, n.target, n.finding, CASE WHEN n.kind IS NOT NULL THEN n.moment END
              FROM marked m CROSS JOIN base b CROSS JOIN news n
            RETURNING number
        ), reported AS (
            INSERT INTO vault.inbox_captures AS k (account, target, region, monday, finding, captured)
            SELECT \(account), c.target, c.region, c.monday, c.finding, c.captured
              FROM marked m CROSS JOIN changes c WHERE c.kind <> \(TargetNews.Kind.lost.rawValue)
            ON CONFLICT (account, target) DO UPDATE SET finding = excluded.finding, captured = excluded.captured
        ), lost AS (
            DELETE FROM vault.inbox_captures k USING marked m, changes c
             WHERE k.account = \(account) AND k.target = c.target AND c.kind = \(TargetNews.Kind.lost.rawValue)
        )
        SELECT m.region, greatest(b.number, (SELECT max(a.number) FROM added a)) AS newest
          FROM marked m CROSS JOIN base b
        """
    }

    /// The parts common to both statements:
    ///   running  the running week of each region
    ///   own      the account's region
    ///   known    what was recorded when its notifications were filled before
    ///   place    the region whose targets are reported, and from which week on
    ///   base     the newest number
    ///   clock    the time at which changes of captures are noticed
    ///   changes  of its captures
    ///   news     what was not reported yet
    private var parts: SQL {
        """
        running AS (
            SELECT r.region, r.monday::date AS monday FROM unnest(\(regions), \(mondays)) r (region, monday)
        ), own AS (
            SELECT a.region FROM \(identifier: ReadModel.accounts.schema).accounts a
             WHERE a.id = \(account) AND a.observer IS NOT NULL
        ), known AS (
            SELECT i.region, i.since FROM vault.inboxes i WHERE i.account = \(account) AND i.since IS NOT NULL
        ), place AS (
            SELECT o.region, r.monday AS running, CASE WHEN k.region = o.region THEN k.since ELSE r.monday END AS since
              FROM own o LEFT JOIN known k ON true LEFT JOIN running r ON r.region = o.region
        ), base AS (
            SELECT coalesce(max(i.number), 0) AS number FROM vault.inbox i WHERE i.account = \(account)
        ), clock AS MATERIALIZED (
            SELECT log.clock() AS moment
        ), changes AS (\(fragment: changes)
        ), news AS (\(fragment: reviews)
            UNION ALL \(fragment: targets)
            UNION ALL \(fragment: captureNews)
        )
        """
    }

    private var reviews: SQL {
        """

            SELECT 1 AS part, s.recorded_at AS moment, s.position AS rank, s.position AS review, NULL::text AS kind,
                   NULL::text AS region, NULL::date AS monday, NULL::uuid AS target, NULL::uuid AS finding
              FROM \(fragment: ReviewNotification.table) s
             WHERE s.account = \(account)
               AND s.position > (SELECT coalesce(max(i.review), 0) FROM vault.inbox i
                                  WHERE i.account = \(account) AND i.review IS NOT NULL)
        """
    }

    /// A past week is never chosen later, and a target is replaced in its week only: weeks before the one before the
    /// running one have no news.
    private var targets: SQL {
        """

            SELECT 2, w.chosen_at, 0, NULL, \(TargetNews.Kind.chosen.rawValue), w.region, w.monday, NULL, NULL
              FROM place p
             CROSS JOIN LATERAL (
                SELECT w.* FROM \(identifier: ReadModel.targets.schema).weeks w
                 WHERE w.region = p.region AND w.monday >= p.since AND w.status = 'chosen' OFFSET 0) w
             WHERE NOT EXISTS (SELECT FROM vault.inbox i
                                WHERE i.account = \(account) AND i.kind = 'targets-chosen' AND i.region = w.region
                                  AND i.monday = w.monday)
            UNION ALL
            SELECT 2, t.replaced_at, t.ordinal, NULL, \(TargetNews.Kind.replaced.rawValue), t.region, t.monday, t.id,
                   NULL
              FROM place p
             CROSS JOIN LATERAL (
                SELECT t.* FROM \(identifier: ReadModel.targets.schema).targets t
                 WHERE t.region = p.region AND t.monday >= p.since AND t.replaced_at IS NOT NULL OFFSET 0) t
             WHERE NOT EXISTS (SELECT FROM vault.inbox i
                                WHERE i.account = \(account) AND i.kind = 'target-replaced' AND i.target = t.id)
        """
    }

    /// The captures as they are now, compared with those that were reported.
    private var changes: SQL {
        """

            SELECT coalesce(c.target, k.target) AS target, coalesce(c.region, k.region) AS region,
                   coalesce(c.monday::date, k.monday) AS monday, coalesce(c.finding, k.finding) AS finding,
                   c.approved AS captured,
                   CASE WHEN c.target IS NULL THEN \(TargetNews.Kind.lost.rawValue)
                        WHEN c.approved THEN \(TargetNews.Kind.captured.rawValue)
                        ELSE \(TargetNews.Kind.sent.rawValue) END AS kind
              FROM (\(fragment: captures)) c
              FULL JOIN (SELECT k.* FROM vault.inbox_captures k
                          WHERE k.account = \(account) AND k.monday >= \(first.monday.description)::text::date) k
                ON k.target = c.target
             WHERE (c.finding, c.approved) IS DISTINCT FROM (k.finding, k.captured)
        """
    }

    /// The first filling reports captures of the running week only.
    private var captureNews: SQL {
        """

            SELECT 3, o.moment, 0, NULL, c.kind, c.region, c.monday, c.target, c.finding
              FROM changes c CROSS JOIN clock o
             WHERE EXISTS (SELECT FROM known)
                OR c.monday >= (SELECT r.monday FROM running r WHERE r.region = c.region)
        """
    }
}
