package import Domain
import FoundationEssentials
package import Postgres

/// A taxon that an account marked for itself.
package struct Favourite: Hashable, Sendable {
    package let taxon: TaxonID
    package let addedAt: Instant
}

/// Keeps the favourites of accounts.
package struct Favourites: Sendable {
    /// The most that an account may have.
    package static let most = 500

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// An account's favourites, the newest first.
    package func favourites(of account: AccountID) async throws(PostgresError) -> [Favourite] {
        let result = try await database.query(
            """
            SELECT taxon, added_at FROM vault.favourites
             WHERE account = \(account.uuid) ORDER BY added_at DESC, taxon
            """)
        var favourites: [Favourite] = []
        for row in result.rows {
            favourites.append(
                Favourite(
                    taxon: TaxonID(try row.decode("taxon", as: UUID.self)),
                    addedAt: Instant(try row.decode("added_at", as: Date.self))))
        }
        return favourites
    }

    /// Adds a taxon. One that is there already stays as it is.
    /// - Returns: false if the account has too many.
    package func add(_ taxon: TaxonID, to account: AccountID) async throws(PostgresError) -> Bool {
        let result = try await database.query(
            "SELECT vault.add_favourite(\(account.uuid), \(taxon.uuid), \(Int64(Self.most))) AS added")
        return try result.onlyRow().decode("added")
    }

    /// Removes a taxon, if it is there.
    package func remove(_ taxon: TaxonID, from account: AccountID) async throws(PostgresError) {
        _ = try await database.query(
            "DELETE FROM vault.favourites WHERE account = \(account.uuid) AND taxon = \(taxon.uuid)")
    }
}
