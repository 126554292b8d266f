package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A finding of an account that counts for a target.
package struct CaptureRow: Hashable, Sendable {
    package let target: TargetID
    package let region: RegionCode
    package let week: ISOWeek
    /// Its place among the targets of the week; a replacement has that of the one it replaces.
    package let ordinal: Int
    package let taxon: TaxonID
    package let finding: SightingID
    /// Whether it is approved and its observer's address is verified, so that the target is captured; it is sent
    /// otherwise.
    package let isApproved: Bool

    init(_ row: PostgresRow) throws(PostgresError) {
        target = try row.id("target")
        region = try row.required(row.code("region"), "region")
        week = try row.week("monday")
        ordinal = try row.decode("ordinal")
        taxon = try row.id("taxon")
        finding = try row.id("finding")
        isApproved = try row.decode("approved")
    }
}

/// Reads which of an account's findings count for targets. It is a projection of sightings, photos, taxa and targets,
/// computed when it is read: corrections, identifications and decisions take effect with their models.
package struct CaptureQueries: Sendable {
    package static let plan = ReadPlan(.sightingsExact, .photos, .taxa, .accounts, .targets, .sightingsPublic)
    /// Findings that are submitted later than this many days after the week do not count.
    static let graceDays = 14

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The captures of an account, one a target: an approved finding before others, then the first one.
    /// - Parameter week: only of a region's week; nil for all.
    /// - Throws: `PostgresError`.
    package func captures(
        of account: AccountID, in week: (region: RegionCode, week: ISOWeek)? = nil
    ) async throws(PostgresError) -> [CaptureRow] {
        var only: SQL = "true"
        if let week {
            let monday = week.week.monday.description
            // The index of an observer's findings is by the end of the observation, in UTC.
            only = """
                s.observed_to >= \(monday)::text::date - 1 and s.observed_to < \(monday)::text::date + 9
                and t.region = \(week.region.text)
                and (s.region = \(week.region.text) or s.border_region = \(week.region.text))
                and s.local_from >= \(monday)::text::date
                and s.local_from < \(monday)::text::date + 7
                """
        }
        let result = try await database.query(Self.captures(of: account, where: only))
        var rows: [CaptureRow] = []
        for row in result.rows { rows.append(try CaptureRow(row)) }
        return rows
    }

    /// A statement with the captures of an account since a week, one a target.
    package static func captures(of account: AccountID, since week: ISOWeek) -> SQL {
        let monday = week.monday.description
        return captures(
            of: account,
            where: "s.observed_to >= \(monday)::text::date - 1 and s.local_from >= \(monday)::text::date")
    }

    /// - Parameter condition: on sightings `s` and targets `t`.
    private static func captures(of account: AccountID, where condition: SQL) -> SQL {
        let own: SQL = """
            s.observer = \(account.uuid) and s.status not in ('withdrawn', 'redacted') and \(fragment: condition)
            """
        return """
            with recursive candidate as materialized (\(fragment: candidates(own))),
            \(fragment: lines)
            select distinct on (c.monday, c.region, c.ordinal, c.target)
                   c.target, c.region, c.monday::text as monday, c.ordinal, c.taxon, c.finding,
                   c.status = 'approved' and \(fragment: isVerified) as approved
              from candidate c
             where \(fragment: isOfTarget) and not \(fragment: hasEarnedPhoto)
             order by c.monday desc, c.region, c.ordinal, c.target, c.status = 'approved' desc, c.submitted_at,
                      c.finding
            """
    }

    /// The lineages of the taxa of candidates.
    private static let lines = TaxonLines.line(
        of: "(select c.seen as taxon from candidate c union select c.had from candidate c)")
    /// Whether the taxon of a candidate `c` is the target or below it, and was so when the target was replaced.
    private static let isOfTarget: SQL = """
        (c.seen, c.taxon) in (select l.taxon, l.above from line l)
        and (c.had, c.taxon) in (select l.taxon, l.above from line l)
        """

    /// The targets `t` for which some sightings `s` count, whatever their taxa (`seen`) and their photos are: seen in
    /// the target's region or within 200 m of it, in its week, wild, certain, and submitted in time. A replaced target
    /// stays open to those that counted when it was replaced: a correction or identification into it comes too late
    /// (`had` is the taxon at that time, else the present one). `offset 0` keeps the planner from beginning with
    /// the targets, which would read the sightings of everybody.
    private static func candidates(_ condition: SQL) -> SQL {
        let targets = ReadModel.targets.schema
        return """
            select t.id as target, t.region, t.monday, t.ordinal, t.taxon, s.taxon as seen, s.id as finding, s.observer,
                   s.status, s.submitted_at, case when t.replaced_at is null then s.taxon
                        else (select h.taxon from \(fragment: former) h) end as had
              from \(identifier: ReadModel.sightingsExact.schema).sightings s
             cross join lateral (
                select t.* from \(identifier: targets).targets t
                 where t.region in (s.region, s.border_region)
                   and t.monday = date_trunc('week', s.local_from::timestamp)::date offset 0) t
              join \(identifier: targets).weeks w on w.id = t.week
             where upper_inf(s.valid) and \(fragment: condition) and s.dataset is null
               and s.status in ('pending', 'approved') and s.local_to <= t.monday + 6
               and \(fragment: WildSightings.condition)
               and s.submitted_at < w.ends_at + make_interval(days => \(graceDays)::integer)
               and (t.replaced_at is null
                    or exists (select from \(fragment: former) h
                                where t.region in (h.region, h.border_region) and h.local_from >= t.monday
                                  and h.local_to <= t.monday + 6))
            """
    }

    /// A sighting `s` as it was when a target `t` was replaced; no row if it was submitted later.
    private static let former: SQL = """
        (select h.* from \(identifier: ReadModel.sightingsExact.schema).sightings h
          where h.id = s.id and h.recorded_at < t.replaced_at order by h.version desc limit 1)
        """

    /// Whether the address of the observer of a finding `c` is verified: until then an approved one counts as sent.
    private static let isVerified: SQL = """
        coalesce((select a.verified from \(identifier: ReadModel.accounts.schema).accounts a
                   where a.id = c.observer), false)
        """

    /// Whether a photo of a finding `c` had earned another sighting a capture before: the same bytes, or one that its
    /// upload found to be alike. Deleting either photo of the account changes nothing: the finding may have been
    /// approved for it. `offset 0` keeps the planner from reading all photos.
    ///
    /// A photo of another account counts only while it is public, with a record that is not generalised: otherwise,
    /// whoever sends a copy of a picture learns that it was sent before, and where a target was seen.
    private static let hasEarnedPhoto: SQL = {
        let photos: SQL = "\(identifier: ReadModel.photos.schema).photos"
        return """
            exists (
                select from (select p.* from \(fragment: photos) p where p.sighting = c.finding offset 0) p
                 cross join lateral (
                    (select q.* from \(fragment: photos) q where q.original = p.original offset 0)
                    union all
                    select q.*
                      from jsonb_array_elements_text(coalesce(p.resembles, '[]')) r (id)
                     cross join lateral (
                        select q.* from \(fragment: photos) q where q.id = r.id::uuid offset 0) q) q
                 where q.sighting <> p.sighting and q.uploaded_at < p.uploaded_at
                   and (q.observer = p.observer or \(fragment: isPublic))
                   and exists (
                    with recursive candidate as materialized (
                        \(fragment: candidates("s.id = q.sighting and s.status = 'approved'"))),
                    \(fragment: lines)
                    select from candidate c where \(fragment: isOfTarget))
                offset 0)
            """
    }()

    /// Whether anyone may see a photo `q` with its record as it is: a generalised record has another id than its
    /// sighting.
    private static let isPublic: SQL = """
        exists (select from \(identifier: ReadModel.sightingsPublic.schema).photos o
                 where o.sighting = q.sighting and o.photo = q.id and o.record = q.sighting
                   and upper_inf(o.valid) and upper_inf(o.shown))
        """
}
