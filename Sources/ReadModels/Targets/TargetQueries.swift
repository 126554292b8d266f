package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// A region's week with its targets.
package struct TargetWeek: Hashable, Sendable {
    /// The outcome of the week.
    package enum Status: String, Vocabulary {
        /// Fixed in part or whole, not chosen. Must not be public.
        case planned
        case chosen
        /// Nothing was chosen.
        case missed
    }

    package let id: TargetsID
    package let region: RegionCode
    package let week: ISOWeek
    package let status: Status
    /// The taxa that an admin fixed.
    package let plan: [TaxonID]
    /// nil unless chosen, as are the two that follow.
    package let zone: ZoneName?
    package let startsAt: Instant?
    package let endsAt: Instant?
    /// The rules that were relaxed.
    package let relaxed: [Relaxation]
    package let version: Int
    /// Of its newest event. Must never be returned to clients.
    package let position: Int64
    /// In their order; replaced ones before their replacements.
    package internal(set) var targets: [TargetRow] = []

    static let columns: SQL = """
        w.id, w.region, w.monday::text as monday, w.status, w.plan, w.zone, w.starts_at, w.ends_at, w.relaxed,
        w.version, w.position
        """

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.id("id")
        region = try row.required(row.code("region"), "region")
        week = try row.week("monday")
        status = try row.required(row.word("status"), "status")
        plan = try row.decode("plan", as: [UUID].self).map { TaxonID($0) }
        zone = try row.code("zone")
        startsAt = try row.instant("starts_at")
        endsAt = try row.instant("ends_at")
        relaxed = try row.decode("relaxed", as: [String].self).compactMap(Relaxation.init(rawValue:))
        version = try row.decode("version")
        position = try row.decode("position")
    }
}

/// A target, or a former one.
package struct TargetRow: Hashable, Sendable {
    package let id: TargetID
    package let taxon: TaxonID
    package let difficulty: Difficulty?
    package let basis: TargetBasis
    /// nil while it is a target.
    package let replacedAt: Instant?
    package let replacedBy: TargetID?
    package let reason: ReplacementReason?
    /// About the taxon; nil where the catalogue has none.
    package let description: String?
    package let link: String?

    /// - Returns: nil where the row of a week has no target.
    init?(optional row: PostgresRow) throws(PostgresError) {
        guard let id: TargetID = try row.id(optional: "target") else { return nil }
        self.id = id
        taxon = try row.id("taxon")
        difficulty = try row.word("difficulty")
        basis = try row.required(row.word("basis"), "basis")
        replacedAt = try row.instant("replaced_at")
        replacedBy = try row.id(optional: "replaced_by")
        reason = try row.word("reason")
        description = try row.decode("description")
        link = try row.decode("link")
    }
}

/// Reads the targets of regions and weeks.
package struct TargetQueries: Sendable {
    /// The size of a page of weeks, and the week before which it begins.
    package struct Page: SliceRequest, Hashable {
        package var limit: Int
        package var after: ISOWeek?

        package init(limit: Int, after: ISOWeek? = nil) {
            (self.limit, self.after) = (limit, after)
        }
    }

    private let database: any PostgresQuerying
    private static let schema = ReadModel.targets.schema

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// A region's week.
    /// - Returns: nil where nothing is known of it.
    /// - Throws: `PostgresError`.
    package func week(_ region: RegionCode, _ week: ISOWeek) async throws(PostgresError) -> TargetWeek? {
        try await weeks("w.region = \(region.text) and w.monday = \(week.monday.description)::text::date").first
    }

    /// The weeks of a region that are chosen or missed, the newest first.
    /// - Parameter last: the latest week to return.
    /// - Throws: `PostgresError`.
    package func history(
        of region: RegionCode, upTo last: ISOWeek, _ page: Page
    ) async throws(PostgresError) -> Slice<TargetWeek, ISOWeek> {
        let before = min(page.after ?? last.adding(weeks: 1), last.adding(weeks: 1))
        let weeks = try await weeks(
            """
            w.id in (select h.id from \(identifier: Self.schema).weeks h
                      where h.region = \(region.text) and h.monday < \(before.monday.description)::text::date
                        and h.status <> 'planned'
                      order by h.monday desc limit \(page.rows))
            """)
        return page.slice(weeks) { $0.week }
    }

    /// The weeks with events above a position.
    /// - Throws: `PostgresError`.
    package func changes(after position: Int64) async throws(PostgresError) -> [TargetWeek] {
        try await weeks("w.position > \(position)")
    }

    /// The mondays of a region's weeks that are chosen or missed, the first one first.
    /// - Throws: `PostgresError`.
    package func settled(of region: RegionCode) async throws(PostgresError) -> [ISOWeek] {
        let result = try await database.query(
            """
            select w.monday::text as monday from \(identifier: Self.schema).weeks w
             where w.region = \(region.text) and w.status <> 'planned' order by w.monday
            """)
        var weeks: [ISOWeek] = []
        for row in result.rows { weeks.append(try row.week("monday")) }
        return weeks
    }

    private func weeks(_ condition: SQL) async throws(PostgresError) -> [TargetWeek] {
        let result = try await database.query(
            """
            select \(fragment: TargetWeek.columns), t.id as target, t.taxon, t.difficulty, t.basis, t.replaced_at,
                   t.replaced_by, t.reason, x.description, x.link
              from \(identifier: Self.schema).weeks w
              left join lateral (
                select t.* from \(identifier: Self.schema).targets t where t.week = w.id offset 0) t on true
              left join \(identifier: ReadModel.taxa.schema).taxa x on x.id = t.taxon
             where \(fragment: condition)
             order by w.monday desc, w.region, t.ordinal, t.replaced_at nulls last, t.id
            """)
        var weeks: [TargetWeek] = []
        for row in result.rows {
            let week = try TargetWeek(row)
            if weeks.last?.id != week.id { weeks.append(week) }
            if let target = try TargetRow(optional: row) { weeks[weeks.count - 1].targets.append(target) }
        }
        return weeks
    }
}
