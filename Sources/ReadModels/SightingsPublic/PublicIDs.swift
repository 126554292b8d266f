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
            ?? Found(id: nil, observer: nil, isKnown: false)
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
            select q.id as stream, \(fragment: Self.newest(of: "q.id", since: "q.position")) as id,
                   (select o.observer from \(identifier: ReadModel.sightingsPublic.schema).observers o
                     where o.account = q.account) as observer,
                   \(fragment: Self.reached) >= q.position as known
              from unnest(\(sightings.map(\.id.uuid)), \(sightings.map { $0.account?.uuid }),
                          \(sightings.map(\.position))) q (id, account, position)
            """)
        var found: [SightingID: Found] = [:]
        for row in result.rows {
            found[try row.id("stream")] = Found(
                id: try row.id(optional: "id"), observer: try row.id(optional: "observer"),
                isKnown: try row.decode("known"))
        }
        return found
    }

    /// The id as a column of another statement; null also while the model does not have the newest event.
    /// - Parameters:
    ///   - stream: an expression for the sighting's own id.
    ///   - position: an expression for the position of its newest event.
    static func newest(of stream: SQL, since position: SQL) -> SQL {
        let schema = ReadModel.sightingsPublic.schema
        return """
            (select r.id
               from (select \(fragment: stream) as id
                     union all
                     select o.id from \(identifier: schema).origins o where o.stream = \(fragment: stream)) i
               join \(identifier: schema).records r on r.id = i.id
              where r.kind <> 'gone' and upper_inf(r.valid) and upper_inf(r.shown)
                and \(fragment: reached) >= \(fragment: position))
            """
    }

    private static var reached: SQL {
        "(select position from model.checkpoints where \(fragment: ReadModel.sightingsPublic.isItsCheckpoint))"
    }
}
