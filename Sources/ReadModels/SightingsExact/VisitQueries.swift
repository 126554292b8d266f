package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// An outing of an observer.
package struct ListedVisit: Hashable, Sendable {
    /// A finding of an outing.
    package struct Finding: Hashable, Sendable {
        package let id: SightingID
        /// nil for unidentified.
        package let taxon: TaxonID?
        package let observed: ObservationTime
        package let coordinate: Coordinate
        package let state: StateCode?
        package let count: IndividualCount?
        package let confidence: Confidence?
        package let status: SightingStatus
    }

    /// Its effort as the finding has it that changed last.
    package let visit: Visit
    /// How many findings it has.
    package let findingCount: Int
    /// How many species they count for; see ``SpeciesQueries``.
    package let speciesCount: Int
    /// The first ones, in the order of their observation: at most ``VisitQueries/mostFindings``.
    package fileprivate(set) var findings: [Finding] = []

    fileprivate init(_ visit: Visit, _ row: PostgresRow) throws(PostgresError) {
        self.visit = visit
        findingCount = try row.decode("findings")
        speciesCount = try row.decode("species")
    }
}

extension ListedVisit.Finding {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            id: try row.id("id"), taxon: try row.id(optional: "taxon"),
            observed: try row.required(row.observationTime("observed"), "observed"),
            coordinate: try row.required(row.coordinate(), "latitude"), state: try row.code("state"),
            count: try row.bounded("count"), confidence: try row.bounded("confidence"),
            status: try row.required(row.word("status"), "status"))
    }
}

/// Reads the outings of a birder.
package struct VisitQueries: Sendable {
    package static let plan = ReadPlan(.sightingsExact, .taxa)
    /// The most findings that an outing is listed with.
    package static let mostFindings = 200
    /// A page ends with the outing by which it has at least so many findings.
    static let findingsOfPage = 2_000

    /// The size of a page of outings.
    package struct Page: SliceRequest, Hashable {
        /// The most outings to return.
        package var limit: Int
        package var after: MomentKey?

        package init(limit: Int, after: MomentKey? = nil) {
            (self.limit, self.after) = (limit, after)
        }
    }

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The outings of an observer's findings as they are now, the latest start first, then by id.
    ///
    /// They are read once, and looked up in a hash table (`is true` keeps `in` from becoming a join), because the
    /// planner cannot know how many there are.
    /// - Returns: at most as many as are asked for, and fewer if they have many findings.
    /// - Throws: `PostgresError`.
    package func visits(
        of observer: AccountID, _ page: Page
    ) async throws(PostgresError) -> Slice<ListedVisit, MomentKey> {
        let result = try await database.query(statement(observer, page))
        var visits: [ListedVisit] = []
        for row in result.rows {
            let visit = try row.required(row.visit("visit"), "visit")
            if visits.last?.visit.id != visit.id { visits.append(try ListedVisit(visit, row)) }
            visits[visits.count - 1].findings.append(try ListedVisit.Finding(row))
        }
        let last = visits.count < (try result.first?.decode("remaining") ?? 0) ? visits.last?.visit : nil
        return Slice(visits, next: last.map { MomentKey($0.startedAt, $0.id.uuid) })
    }

    private func statement(_ observer: AccountID, _ page: Page) -> SQL {
        let most = Self.mostFindings
        return """
            with recursive own as materialized (
                select s.id, s.valid, s.taxon, s.status, s.observed, s.observed_from, s.observed_to, s.latitude,
                       s.longitude, s.state, s.count, s.confidence, s.visit, (s.visit ->> 'id')::uuid as visit_id,
                       \(fragment: SpeciesQueries.counts) as counts
                  from \(identifier: ReadModel.sightingsExact.schema).sightings s
                 where \(fragment: OwnFindings.condition(observer)) and s.visit is not null
                   and s.observed is not null and s.latitude is not null),
            outing as (
                select distinct on (o.visit_id) o.visit_id, o.visit,
                       (o.visit ->> 'startedAt')::timestamptz as started_at,
                       count(*) over (partition by o.visit_id) as findings
                  from own o order by o.visit_id, lower(o.valid) desc, o.id),
            page as (
                select v.*, count(*) over () as remaining from outing v
                 where \(fragment: page.after?.precedes("v.started_at", "v.visit_id") ?? "true")
                 order by v.started_at desc, v.visit_id limit \(page.limit)),
            sized as (
                select v.*, sum(least(v.findings, \(most))) over (order by v.started_at desc, v.visit_id)
                                - least(v.findings, \(most)) as earlier
                  from page v),
            part as (
                select o.*, row_number() over (partition by o.visit_id order by o.observed_from, o.observed_to, o.id)
                                as ordinal
                  from own o
                 where (o.visit_id in (
                    select z.visit_id from sized z where z.earlier < \(Self.findingsOfPage))) is true),
            \(fragment: TaxonLines.species(of: "part")),
            listed as (
                select o.visit_id, count(distinct p.species) as species
                  from part o join species p on p.taxon = o.taxon
                 where o.counts
                 group by o.visit_id)
            select z.visit, z.remaining, z.findings, coalesce(l.species, 0) as species, o.id, o.taxon, o.observed,
                   o.latitude, o.longitude, o.state, o.count, o.confidence, o.status
              from sized z
              join part o on o.visit_id = z.visit_id and o.ordinal <= \(most)
              left join listed l on l.visit_id = z.visit_id
             order by z.started_at desc, z.visit_id, o.ordinal
            """
    }
}
