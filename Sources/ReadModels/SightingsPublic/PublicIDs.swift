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

    /// The id under which a sighting is public, or will be once its month is over, and that of an account.
    /// - Parameters:
    ///   - account: an account whose observer id is wanted.
    ///   - position: of the sighting's newest event.
    /// - Returns: the ids, nil for none; and whether the model has the event yet.
    /// - Throws: `PostgresError`.
    package func id(
        of sighting: SightingID, by account: AccountID? = nil, since position: Int64
    ) async throws(PostgresError) -> (id: SightingID?, observer: ObserverID?, isKnown: Bool) {
        let row = try await database.query(
            """
            select \(fragment: Self.newest(of: "\(sighting.uuid)::uuid", since: "\(position)::bigint")) as id,
                   (select o.observer from \(identifier: ReadModel.sightingsPublic.schema).observers o
                     where o.account = \(account?.uuid)) as observer,
                   \(fragment: Self.reached) >= \(position) as known
            """
        ).onlyRow()
        return (try row.id(optional: "id"), try row.id(optional: "observer"), try row.decode("known"))
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
