import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels

/// The statements with which the watcher of a process looks after all its streams at once.
struct EventStreamQueries: Sendable {
    /// What happened in a part of the log.
    struct Touched: Sendable {
        /// Owners of sightings, photos and accounts with new events.
        var accounts: Set<AccountID> = []
        /// Regions whose targets changed.
        var regions: Set<RegionCode> = []
    }

    /// A stream as it is now.
    struct StreamStatus: Sendable {
        let id: Int64
        /// Whether its session, or its API key, is good and the account exists.
        let isOpen: Bool
        /// The account's newest notification that is there.
        let newest: Int
    }

    let database: any PostgresQuerying

    /// The accounts and regions that may have news from the events with after < position <= upto. The owner of a
    /// sighting or a photo is the actor of the stream's first event; imports have none.
    func touched(after: Int64, upto: Int64) async throws(PostgresError) -> Touched {
        let result = try await database.query(
            """
            SELECT DISTINCT CASE s.kind WHEN 'account' THEN e.stream WHEN 'sighting' THEN f.actor
                                        WHEN 'photo' THEN f.actor END AS account, w.region
              FROM log.events e
             CROSS JOIN LATERAL (
                SELECT s.kind, s.first_position FROM log.streams s WHERE s.id = e.stream OFFSET 0) s
             CROSS JOIN LATERAL (SELECT f.actor FROM log.events f WHERE f.position = s.first_position OFFSET 0) f
              LEFT JOIN LATERAL (
                SELECT w.region FROM \(identifier: ReadModel.targets.schema).weeks w
                 WHERE w.id = e.stream AND s.kind = 'targets' OFFSET 0) w ON true
             WHERE e.position > \(after) AND e.position <= \(upto) AND e.type <> \(SightingImported.type)
            """)
        var touched = Touched()
        for row in result.rows {
            if let account: UUID = try row.decode("account") { touched.accounts.insert(AccountID(account)) }
            if let region: String = try row.decode("region") { touched.regions.insert(RegionCode(unchecked: region)) }
        }
        return touched
    }

    /// The present status of some streams.
    /// - Parameter streams: the number of each, with its account and its session or API key.
    func statuses(
        of streams: [(id: Int64, account: AccountID, session: UUID)], at now: Date
    ) async throws(PostgresError) -> [StreamStatus] {
        let result = try await database.query(
            """
            SELECT l.id, coalesce(s.is_open, k.is_open, false) AND NOT coalesce(a.is_gone, false) AS is_open,
                   coalesce(n.newest, 0) AS newest
              FROM unnest(\(streams.map(\.id)), \(streams.map(\.account.uuid)), \(streams.map(\.session)))
                   l (id, account, session)
              LEFT JOIN LATERAL (
                SELECT s.ended_at IS NULL AND s.expires_at > \(now) AS is_open
                  FROM vault.sessions s WHERE s.id = l.session OFFSET 0) s ON true
              LEFT JOIN LATERAL (
                SELECT k.expires_at IS NULL OR k.expires_at > \(now) AS is_open
                  FROM vault.api_keys k WHERE k.id = l.session OFFSET 0) k ON true
              LEFT JOIN LATERAL (
                SELECT a.observer IS NULL AS is_gone
                  FROM \(identifier: ReadModel.accounts.schema).accounts a WHERE a.id = l.account OFFSET 0) a ON true
              LEFT JOIN LATERAL (
                SELECT max(i.number) AS newest FROM vault.inbox i WHERE i.account = l.account OFFSET 0) n ON true
            """)
        var statuses: [StreamStatus] = []
        for row in result.rows {
            statuses.append(
                StreamStatus(
                    id: try row.decode("id"), isOpen: try row.decode("is_open"), newest: try row.decode("newest")))
        }
        return statuses
    }
}
