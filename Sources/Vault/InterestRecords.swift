package import Domain
import FoundationEssentials
package import Postgres

/// Keeps the interests of moderators.
package struct InterestRecords: Sendable {
    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// The interests of a moderator; empty if there are none.
    package func interests(of moderator: AccountID) async throws(PostgresError) -> ModeratorInterests {
        let result = try await database.query(
            "SELECT regions, taxa FROM vault.moderators WHERE account = \(moderator.uuid)")
        guard let row = result.first else { return ModeratorInterests() }
        let regions = try row.decode("regions", as: [String].self)
        let taxa = try row.decode("taxa", as: [UUID].self)
        return ModeratorInterests(regions: regions.compactMap { try? RegionCode($0) }, taxa: taxa.map { TaxonID($0) })
    }

    /// Replaces the interests of a moderator.
    package func set(_ interests: ModeratorInterests, of moderator: AccountID) async throws(PostgresError) {
        try await database.query(
            """
            INSERT INTO vault.moderators (account, regions, taxa)
            VALUES (\(moderator.uuid), \(interests.regions.map(\.text)), \(interests.taxa.map(\.uuid)))
            ON CONFLICT (account) DO UPDATE SET regions = excluded.regions, taxa = excluded.taxa
            """)
    }
}
