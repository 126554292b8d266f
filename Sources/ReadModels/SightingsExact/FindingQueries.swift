package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// Reads a birder's own findings, with their true places.
package struct FindingQueries: Sendable {
    /// The filters and the size of a page of findings.
    package struct Page: SliceRequest, Hashable {
        /// Whether findings were withdrawn.
        package enum State: Sendable {
            case present, withdrawn
        }

        /// Only findings in this state.
        package var state = State.present
        package var filter: RecordFilter
        /// Only findings of this outing.
        package var visit: VisitID?
        /// The most findings to return.
        package var limit: Int
        package var after: MomentKey?

        package init(
            _ filter: RecordFilter = RecordFilter(), visit: VisitID? = nil, limit: Int, after: MomentKey? = nil
        ) {
            self.filter = filter
            self.visit = visit
            self.limit = limit
            self.after = after
        }
    }

    /// A finding; its public id, nil if it has none; and its review, empty if the read model does not have it yet.
    package typealias Row = (sighting: ExactSighting, publicID: SightingID?, review: OwnReview)

    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// A birder's findings as they are now, newest observation first, then by id. Redacted ones are not among them.
    /// - Returns: also the model's position; 0 if there are no findings.
    /// - Throws: `PostgresError`.
    package func findings(
        of observer: AccountID, _ page: Page
    ) async throws(PostgresError) -> (slice: Slice<Row, MomentKey>, position: Int64) {
        let model = ReadModel.sightingsExact
        let result = try await database.query(
            """
            select \(fragment: ExactSighting.selection),
                   \(fragment: PublicIDs.newest(of: "s.id", since: "lower(s.valid)")) as public_id,
                   (select position from model.checkpoints where \(fragment: model.isItsCheckpoint)) as reached,
                   r.review, r.reasons, r.parked_until
              from (select s.* from \(identifier: model.schema).sightings s
                     where \(fragment: OwnFindings.condition(observer, page.state)) \(fragment: Self.filter(page))
                     order by s.observed_to desc, s.id
                     limit \(page.rows)) s
              left join lateral \(fragment: OwnReview.row(of: "s.id")) r on true
             order by s.observed_to desc, s.id
            """)
        var findings: [Row] = []
        findings.reserveCapacity(result.count)
        for row in result.rows {
            findings.append((try ExactSighting(row), try row.id(optional: "public_id"), try OwnReview(row)))
        }
        let slice = page.slice(findings) { row in
            row.sighting.details.map { MomentKey($0.observed.to, row.sighting.id.uuid) }
        }
        return (slice, try result.first?.decode("reached") ?? 0)
    }

    private static func filter(_ page: Page) -> SQL {
        var filter: SQL = "and \(fragment: page.filter.condition())"
        if let key = page.after {
            filter = "\(fragment: filter) and \(fragment: key.precedes("s.observed_to", "s.id"))"
        }
        if let visit = page.visit { filter = "\(fragment: filter) and (s.visit ->> 'id')::uuid = \(visit.uuid)" }
        return filter
    }

    /// The details of some of an observer's findings. Those of redacted ones are left out.
    /// - Parameter hasWithdrawn: whether those of ones that were withdrawn, but not for privacy, are among them.
    /// - Throws: `PostgresError`.
    package func details(
        of ids: Set<SightingID>, by observer: AccountID, withWithdrawn hasWithdrawn: Bool = false
    ) async throws(PostgresError) -> [SightingID: SightingDetails] {
        guard !ids.isEmpty else { return [:] }
        var wanted = OwnFindings.condition(observer)
        if hasWithdrawn {
            wanted = """
                (\(fragment: wanted)
                 or \(fragment: OwnFindings.condition(observer, .withdrawn)) and s.reason is distinct from 'privacy')
                """
        }
        let result = try await database.query(
            """
            select \(fragment: ExactSighting.selection)
              from unnest(\(ids.map(\.uuid))) q (id)
             cross join lateral (
                select s.* from \(identifier: ReadModel.sightingsExact.schema).sightings s
                 where s.id = q.id and \(fragment: wanted) offset 0) s
            """)
        var details: [SightingID: SightingDetails] = [:]
        for row in result.rows {
            let sighting = try ExactSighting(row)
            details[sighting.id] = sighting.details
        }
        return details
    }

    /// Every state of a sighting up to a position, oldest first, one for each of its events.
    /// - Throws: `PostgresError`.
    package func history(
        of id: SightingID, upTo position: Int64 = .max
    ) async throws(PostgresError) -> [ExactSighting] {
        let result = try await database.query(
            """
            select \(fragment: ExactSighting.selection)
              from \(identifier: ReadModel.sightingsExact.schema).sightings s
             where s.id = \(id.uuid) and lower(s.valid) <= \(position)
             order by s.version
            """)
        var states: [ExactSighting] = []
        for row in result.rows { states.append(try ExactSighting(row)) }
        return states
    }

    /// A birder's own map, with true places: see ``MapAnswer``.
    /// - Throws: `PostgresError`.
    package func map(of observer: AccountID, _ view: MapView) async throws(PostgresError) -> MapAnswer {
        try await MapStatement(
            table: "\(identifier: ReadModel.sightingsExact.schema).sightings s",
            condition: OwnFindings.condition(observer), cell: "null::smallint", countRange: "null::text", moment: nil
        ).answer(view, database)
    }
}

/// The conditions for an observer's findings: the predicates of the indexes that list them.
enum OwnFindings {
    static func condition(_ observer: AccountID, _ state: FindingQueries.Page.State = .present) -> SQL {
        let status: SQL =
            switch state {
            case .present: "s.status not in ('withdrawn', 'redacted')"
            case .withdrawn: "s.status = 'withdrawn'"
            }
        return """
            s.observer = \(observer.uuid) and upper_inf(s.valid) and s.observer is not null and \(fragment: status)
            """
    }
}
