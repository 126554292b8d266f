package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Reads the public visits of effort as of a moment.
///
/// A visit consists of its public records that are open and exact; no others have one (see `effort` in
/// `sightings_public.rows.sql`). Records of taxa that have, or ever had, a category are no part of it: such a taxon
/// must not be taken for absent where a list lacks it.
package struct PublicVisitQueries: Sendable {
    let database: any PostgresQuerying

    /// Reads through a connection of its own: all visits are a long statement.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The complete visits of a query for a range, by their ids, each with the taxon's records that count.
    ///
    /// Visits are formed whole. One belongs to the result if more than half of its records lie in the region, the box,
    /// the days and the dataset of the query, so no visit belongs to two regions. Visits without a place are left out,
    /// and those whose days do not lie in one period. A taxon that has, or ever had, a category has no visits: it would
    /// be absent from all.
    /// - Throws: `PostgresError`.
    package func visits(
        for query: RangeQuery, asOf moment: PublicMoment
    ) async throws(PostgresError) -> [EffortVisit] {
        let result = try await database.query(Self.statement(query, moment))
        var visits: [EffortVisit] = []
        var open: OpenVisit?
        for row in result.rows {
            let id: PublicVisitID = try row.id("visit")
            if open?.id != id {
                if let visit = open?.effort(query) { visits.append(visit) }
                open = OpenVisit(
                    id: id, from: try row.required(row.date("first"), "first"),
                    to: try row.required(row.date("last"), "last"), listLength: try row.decode("list_length"))
            }
            let place = try row.required(row.coordinate(), "latitude")
            open?.add(place, records: try row.decode("records"), found: try row.id(optional: "id"), side: query.side)
        }
        if let visit = open?.effort(query) { visits.append(visit) }
        return visits
    }
}

/// A visit of which more rows may come.
private struct OpenVisit {
    let id: PublicVisitID
    let from: CivilDate
    let to: CivilDate
    let listLength: Int
    private var cells: [MarginCell: Int] = [:]
    private var found: [RangeRecord] = []

    init(id: PublicVisitID, from: CivilDate, to: CivilDate, listLength: Int) {
        (self.id, self.from, self.to, self.listLength) = (id, from, to, listLength)
    }

    mutating func add(_ place: Coordinate, records: Int, found id: SightingID?, side: CellSide) {
        cells[MarginCell(place, side: side), default: 0] += records
        if let id { found.append(RangeRecord(id: id, place: place)) }
    }

    func effort(_ query: RangeQuery) -> EffortVisit? {
        guard let cell = MarginCell.ofMost(cells), let period = RangePeriod(query.period, from: from, to: to) else {
            return nil
        }
        return EffortVisit(id: id.description, period: period, cell: cell, listLength: listLength, records: found)
    }
}

extension MarginCell {
    /// The cell with most records; among equals the smallest.
    static func ofMost(_ records: [MarginCell: Int]) -> MarginCell? {
        records.min { one, other in one.value == other.value ? one.key < other.key : one.value > other.value }?.key
    }
}

extension PublicVisitQueries {
    /// Row for row the places of a visit, with the smallest id of the records there that count.
    private static func statement(_ query: RangeQuery, _ moment: PublicMoment) -> SQL {
        let region: SQL = query.region.map { "s.region = \($0.text)" } ?? "true"
        let period = RangeQueries.first(of: query.period)
        let matched = query.filter.condition(RecordFilter.conditionsOfVisits, asOf: moment)
        return """
            with visited as materialized (
                select s.visit, s.id, s.latitude, s.longitude, s.local_from, s.local_to,
                       case when \(fragment: isListed(asOf: moment)) then s.taxon end as listed,
                       \(fragment: isSettled(query.statuses)) as settled,
                       coalesce((\(fragment: region) and \(fragment: matched)), false) as matched,
                       coalesce((s.taxon in (\(fragment: PublicSightingQueries.below(query.taxon, asOf: moment.known)))
                                 and \(fragment: region) and \(fragment: query.filter.condition(asOf: moment))
                                 and (\(fragment: RangeQueries.reason(query.rule, period))) is null), false) as counts
                  from \(fragment: PublicSightingQueries.table)
                 where \(fragment: isOfVisit(asOf: moment))
                   and \(query.taxon.uuid) not in (\(fragment: restricted(asOf: moment)))
            ), whole as (
                select v.visit, min(v.local_from) as first, max(v.local_to) as last,
                       count(distinct v.listed) as list_length
                  from visited v
                 group by v.visit
                having bool_and(v.settled) and 2 * count(*) filter (where v.matched) > count(*)
            )
            select w.visit, w.first::text as first, w.last::text as last, w.list_length, v.latitude, v.longitude,
                   count(*) as records, (min(v.id::text collate "C") filter (where v.counts))::uuid as id
              from whole w
              join visited v on v.visit = w.visit
             where v.latitude is not null
             group by w.visit, w.first, w.last, w.list_length, v.latitude, v.longitude
             order by w.visit, v.latitude, v.longitude
            """
    }

    /// The condition for records `s` that make up visits.
    ///
    /// Every id lies between the bounds. A range is taken for a small part of a table without statistics, so that its
    /// records are found by their index then, too.
    static func isOfVisit(asOf moment: PublicMoment) -> SQL {
        """
        s.visit between '00000000-0000-0000-0000-000000000000' and 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        and s.kind = 'record' and \(fragment: PublicListStatement.isComplete)
        and \(fragment: moment.condition)
        and (s.taxon in (\(fragment: restricted(asOf: moment)))) is not true
        """
    }

    /// The taxa that have, or ever had, a category.
    private static func restricted(asOf moment: PublicMoment) -> SQL {
        """
        select r.taxon from \(identifier: ReadModel.sightingsPublic.schema).taxon_restrictions r
         where r.position <= \(moment.shown)
        """
    }

    /// Whether a record `s` lets its visit be complete: the visit lists every species, and the record's status is one
    /// of those that count. As long as a record is pending, the list is not known.
    static func isSettled(_ statuses: [SightingStatus]) -> SQL {
        "coalesce(s.visit_complete and s.status = any(\(statuses.map(\.rawValue))), false)"
    }

    /// Whether the taxon of a record `s` counts for the length of its visit's list: a species or one below it.
    static func isListed(asOf moment: PublicMoment) -> SQL {
        let ranks = TaxonRank.allCases.filter { $0 >= .species }.map(\.rawValue)
        return """
            (s.taxon in (select t.taxon from \(identifier: ReadModel.taxa.schema).taxon_states t
                          where t.valid @> \(moment.known) and t.rank = any(\(ranks)))) is true
            """
    }
}
