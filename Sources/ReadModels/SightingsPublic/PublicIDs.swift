package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// The public ids of sightings and observers, for those who may know whose they are.
package struct PublicIDs: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The public ids of a sighting and of its observer.
    package struct Found: Sendable {
        /// The id under which the sighting is public, or will be once its month is over; nil for none.
        package let id: SightingID?
        /// The observer's; nil for none.
        package let observer: ObserverID?
        /// The place that everyone sees, if it is exact; nil for a cell, for none, and while its month is not over.
        package let place: Coordinate?
        /// Whether the model has the sighting's newest event yet.
        package let isKnown: Bool
    }

    /// The public ids of a sighting, and of an account.
    /// - Parameters:
    ///   - account: an account whose observer id is wanted.
    ///   - position: of the sighting's newest event.
    /// - Throws: `PostgresError`.
    package func id(
        of sighting: SightingID, by account: AccountID? = nil, since position: Int64
    ) async throws(PostgresError) -> Found {
        try await ids(of: [(sighting, account, position)])[sighting]
            ?? Found(id: nil, observer: nil, place: nil, isKnown: false)
    }

    /// The public ids of many sightings, and of their accounts.
    /// - Parameter sightings: each with the account whose observer id is wanted, and the position of its newest event.
    /// - Throws: `PostgresError`.
    package func ids(
        of sightings: [(id: SightingID, account: AccountID?, position: Int64)]
    ) async throws(PostgresError) -> [SightingID: Found] {
        guard !sightings.isEmpty else { return [:] }
        let result = try await database.query(
            """
            select q.id as stream, r.id, r.latitude, r.longitude,
                   (select o.observer from \(identifier: ReadModel.sightingsPublic.schema).observers o
                     where o.account = q.account) as observer,
                   \(fragment: Self.reached) >= q.position as known
              from unnest(\(sightings.map(\.id.uuid)), \(sightings.map { $0.account?.uuid }),
                          \(sightings.map(\.position))) q (id, account, position)
              left join lateral (
                select p.id, case when \(fragment: Self.hasExactPlace) then p.latitude end as latitude,
                       case when \(fragment: Self.hasExactPlace) then p.longitude end as longitude
                  from \(fragment: Self.present(of: "q.id", since: "q.position")) offset 0) r on true
            """)
        var found: [SightingID: Found] = [:]
        for row in result.rows {
            found[try row.id("stream")] = Found(
                id: try row.id(optional: "id"), observer: try row.id(optional: "observer"),
                place: try row.coordinate(), isKnown: try row.decode("known"))
        }
        return found
    }

    /// The id as a column of another statement; null also while the model does not have the newest event.
    /// - Parameters:
    ///   - stream: an expression for the sighting's own id.
    ///   - position: an expression for the position of its newest event.
    static func newest(of stream: SQL, since position: SQL) -> SQL {
        "(select p.id from \(fragment: present(of: stream, since: position)))"
    }

    /// Whether everyone sees, or has seen and may still see, each place that a sighting ever had.
    /// - Parameter position: of its newest event.
    /// - Throws: `PostgresError`.
    package func hasAllPlaces(of sighting: SightingID, since position: Int64) async throws(PostgresError) -> Bool {
        let exact = ReadModel.sightingsExact
        return try await database.query(
            """
            select \(fragment: Self.reached) >= \(position)
                   and exists (select from model.checkpoints
                                where \(fragment: exact.isItsCheckpoint) and position >= \(position))
                   and not exists (
                       select from \(identifier: exact.schema).sightings e
                        where e.id = \(sighting.uuid) and e.latitude is not null
                          and not exists (
                              select from \(fragment: Self.rows(of: "e.id"))
                               where \(fragment: Self.hasExactPlace) and upper_inf(p.shown)
                                 and p.latitude = e.latitude and p.longitude = e.longitude)) as found
            """
        ).onlyRow().decode("found")
    }

    /// The condition for a row of a table `p` of records that has an exact place.
    private static let hasExactPlace: SQL = "p.kind = 'record' and p.cell is null"

    /// The public rows of a sighting, as a table `p`.
    /// - Parameter stream: an expression for the sighting's own id.
    static func rows(of stream: SQL) -> SQL {
        let schema = ReadModel.sightingsPublic.schema
        return """
            (select r.*
               from (select \(fragment: stream) as id
                     union all
                     select o.id from \(identifier: schema).origins o where o.stream = \(fragment: stream)) i
              cross join lateral (select r.* from \(identifier: schema).records r where r.id = i.id offset 0) r) p
            """
    }

    /// The row that shows a sighting now, or will once its month is over, as a table `p`; none while the model does not
    /// have the newest event.
    private static func present(of stream: SQL, since position: SQL) -> SQL {
        """
        (select p.* from \(fragment: rows(of: stream))
          where p.kind <> 'gone' and upper_inf(p.valid) and upper_inf(p.shown)
            and \(fragment: reached) >= \(fragment: position)) p
        """
    }

    private static var reached: SQL {
        "(select position from model.checkpoints where \(fragment: ReadModel.sightingsPublic.isItsCheckpoint))"
    }
}
