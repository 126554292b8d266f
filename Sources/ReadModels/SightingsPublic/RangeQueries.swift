package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// The records of a range, counted by region, period, and the reason for which they do not count.
package struct RangeCounts: Sendable {
    /// Records that have these in common.
    package struct Group: Hashable, Sendable {
        /// Nil for records in no region, or whose public place may lie in several.
        package let region: RegionCode?
        /// Nil for records that fit none, which do not count.
        package let period: RangePeriod?
        /// Nil for records that count.
        package let reason: LeftOutReason?
        /// The place of records that count, with the smallest of their ids.
        package let place: RangeRecord?
        package let records: Int
        /// How many of those that count have a generalised place.
        package let generalised: Int
        /// How many of those that count are not passed on in bulk answers.
        package let notInExports: Int

        package init(
            region: RegionCode?, period: RangePeriod?, reason: LeftOutReason?, place: RangeRecord?, records: Int,
            generalised: Int, notInExports: Int
        ) {
            (self.region, self.period, self.reason, self.place) = (region, period, reason, place)
            (self.records, self.generalised, self.notInExports) = (records, generalised, notInExports)
        }
    }

    /// The observers of records that count, and their visits.
    package struct Observers: Hashable, Sendable {
        /// Nil for all records of the period.
        package let region: RegionCode?
        package let period: RangePeriod
        package let count: Int
        package let visits: Int

        package init(region: RegionCode?, period: RangePeriod, count: Int, visits: Int = 0) {
            (self.region, self.period, self.count, self.visits) = (region, period, count, visits)
        }
    }

    package private(set) var groups: [Group]
    package private(set) var observers: [Observers]

    package init(groups: [Group], observers: [Observers]) {
        (self.groups, self.observers) = (groups, observers)
    }

    /// Adds a row of the statement.
    mutating func add(_ row: PostgresRow, _ kind: RangePeriodKind) throws(PostgresError) {
        let region: RegionCode? = try row.code("region")
        let period = try row.decode("period", as: Int?.self).map { RangeQueries.period(kind, $0) }
        if let count = try row.decode("observers", as: Int?.self) {
            let isAll: Bool = try row.decode("is_all")
            // Those of records in no region are counted among all only.
            guard let period, isAll || region != nil else { return }
            observers.append(
                Observers(region: region, period: period, count: count, visits: try row.decode("visits")))
            return
        }
        let id: SightingID? = try row.id(optional: "id")
        var place: RangeRecord?
        if let id, let coordinate = try row.coordinate() { place = RangeRecord(id: id, place: coordinate) }
        groups.append(
            Group(
                region: region, period: period, reason: try row.word("reason"), place: place,
                records: try row.decode("records"), generalised: try row.decode("generalised"),
                notInExports: try row.decode("kept_back")))
    }
}

/// Reads the public records of ranges as of a moment.
///
/// The statement looks at every record of the taxon once. It returns a row for each place, because hulls and areas of
/// occupancy need places. Swift finds the cells, so that their formula is written once.
package struct RangeQueries: Sendable {
    /// The most groups of an answer that is kept in memory as a whole.
    package static let mostGroups = 500_000

    let database: any PostgresQuerying

    /// Reads through a connection of its own: a range of many records is a long statement.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The records of a range.
    /// - Parameter most: how many groups are read; one more where there are more.
    /// - Throws: `PostgresError`.
    package func counts(
        for query: RangeQuery, asOf moment: PublicMoment, most: Int = mostGroups
    ) async throws(PostgresError) -> RangeCounts {
        let result = try await database.query(Self.statement(query, moment, first: most + 1))
        var counts = RangeCounts(groups: [], observers: [])
        for row in result.rows { try counts.add(row, query.period) }
        return counts
    }

    static func period(_ kind: RangePeriodKind, _ first: Int) -> RangePeriod {
        switch kind {
        case .year: .years(from: first, to: first)
        case .fiveYears: .years(from: first, to: first + 4)
        case .weekOfYear: .week(first)
        }
    }
}

extension RangeQueries {
    /// The taxon and the box choose the index. The rest of the filter is one condition that no index has, so that the
    /// plan is the same for any filter.
    /// - Parameters:
    ///   - taxon: an expression for the taxon; nil for that of the query.
    ///   - further: a further condition for a record `s`.
    ///   - table: that of the records, named `s`.
    ///   - first: how many groups are returned at most; nil for all.
    static func statement(
        _ query: RangeQuery, _ moment: PublicMoment, of taxon: SQL? = nil, and further: SQL = "true",
        in table: SQL = PublicSightingQueries.table, first: Int? = nil
    ) -> SQL {
        let limit: SQL = first.map { "limit \($0)" } ?? ""
        return """
            \(fragment: matched(query, moment, of: taxon, and: further, in: table))
            select g.region, g.period, g.reason, g.latitude, g.longitude, g.id::uuid as id, g.records, g.generalised,
                   g.kept_back, null::bigint as observers, null::bigint as visits, false as is_all
              from (select m.region, m.period, m.reason,
                           case when m.reason is null then m.latitude end as latitude,
                           case when m.reason is null then m.longitude end as longitude,
                           case when m.reason is null then min(m.id::text collate "C") end as id,
                           count(*) as records, count(*) filter (where m.generalised) as generalised,
                           count(*) filter (where m.kept_back) as kept_back
                      from matched m group by 1, 2, 3, 4, 5 \(fragment: limit)) g
            union all
            select m.region, m.period, null, null, null, null, null, null, null, count(distinct m.observer),
                   count(distinct m.visit), grouping(m.region) = 1
              from matched m
             where m.reason is null and (m.observer is not null or m.visit is not null)
             group by grouping sets ((m.period, m.region), (m.period))
            """
    }

    /// `with matched`: the records that are looked at, each with the reason for which it does not count.
    static func matched(
        _ query: RangeQuery, _ moment: PublicMoment, of taxon: SQL? = nil, and further: SQL = "true",
        in table: SQL = PublicSightingQueries.table
    ) -> SQL {
        let period = first(of: query.period)
        let rest = RecordFilter.Member.all.subtracting([.box])
        let taxon = taxon ?? "\(query.taxon.uuid)"
        return """
            with matched as materialized (
                select s.id, s.region, \(fragment: period) as period, s.latitude, s.longitude,
                       s.cell is not null as generalised,
                       not (\(fragment: PublicSightingQueries.isPassedOn(BulkQuery()))) as kept_back,
                       \(fragment: observer) as observer, s.visit,
                       \(fragment: reason(query.rule, period)) as reason
                  from \(fragment: table)
                 where s.taxon = any(array(\(fragment: PublicSightingQueries.below(taxon, asOf: moment.known))))
                   and s.taxon is not null and s.kind = 'record' and \(fragment: moment.condition)
                   and \(fragment: query.filter.condition([.box], asOf: moment))
                   and coalesce((\(fragment: PublicListStatement.isComplete) and (\(fragment: further))
                                 and \(fragment: query.filter.condition(rest, asOf: moment))), false)
            )
            """
    }

    /// The observer of a record `s`; null for generalised records, whose observers others must not find by counting.
    private static let observer: SQL = """
        case when s.cell is null and not s.guarded and s.geoprivacy = 'open' then coalesce(s.observer, s.recorder) end
        """

    /// The first year or the week of the period that holds all local days of a record `s`; null: none does.
    static func first(of kind: RangePeriodKind) -> SQL {
        switch kind {
        case .year: shared { "extract(year from \(fragment: $0))" }
        case .fiveYears: shared { "floor(extract(year from \(fragment: $0)) / 5) * 5" }
        case .weekOfYear:
            """
            case when extract(isoyear from s.local_from) = extract(isoyear from s.local_to)
                 then (\(fragment: shared { "extract(week from \(fragment: $0))" })) end
            """
        }
    }

    /// The number that the first and the last local day have in common.
    private static func shared(_ number: (SQL) -> SQL) -> SQL {
        let (first, last) = (number("s.local_from"), number("s.local_to"))
        return "case when \(fragment: first) = \(fragment: last) then (\(fragment: first))::bigint end"
    }

    /// The first reason for which a record `s` does not count; null: it counts.
    static func reason(_ rule: RangeRule, _ period: SQL) -> SQL {
        var cases: SQL = "case"
        for reason in LeftOutReason.allCases {
            guard let condition = condition(of: reason, rule, period) else { continue }
            cases = "\(fragment: cases) when \(fragment: condition) then \(reason.rawValue)::text"
        }
        return "\(fragment: cases) end"
    }

    /// The condition of a reason, as ``RangeRule`` has it; nil for one that applies to no record.
    private static func condition(of reason: LeftOutReason, _ rule: RangeRule, _ period: SQL) -> SQL? {
        switch reason {
        case .captive: rule.withCaptive ? nil : "s.captive is true"
        // A guarded record does not show its qualifier, so it counts with any.
        case .qualified: rule.withQualified ? nil : "not s.guarded and s.qualifier in ('cf', 'aff')"
        // Null where it is not public.
        case .prompted: rule.withPrompted ? nil : "s.prompted is true"
        case .uncertain: "s.uncertainty > \(rule.maxUncertaintyMetres)"
        case .noPlace: "s.latitude is null"
        case .noConfidence: rule.minConfidence.map { _ in "s.confidence is null" }
        case .lowConfidence: rule.minConfidence.map { "s.confidence < \($0)" }
        case .period: "(\(fragment: period)) is null"
        case .pending: rule.withPending ? nil : "s.status = \(SightingStatus.pending.rawValue)"
        }
    }
}
