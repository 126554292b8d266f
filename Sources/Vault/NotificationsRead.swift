package import Domain
package import Postgres

/// Stores the number up to which each account has read its notifications.
package struct NotificationsRead: Sendable {
    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// The highest number that the account has read; 0 for none.
    package func number(of account: AccountID) async throws(PostgresError) -> Int {
        try await database.query(
            """
            SELECT coalesce(max(up_to), 0) AS up_to FROM vault.notifications_read WHERE account = \(account.uuid)
            """
        ).onlyRow().decode("up_to")
    }

    /// Records that the account has read up to a number; a lower one than before changes nothing.
    /// - Returns: the highest number that it has read.
    package func note(_ number: Int, by account: AccountID) async throws(PostgresError) -> Int {
        try await database.query(
            """
            INSERT INTO vault.notifications_read AS r (account, up_to) VALUES (\(account.uuid), \(number))
            ON CONFLICT (account) DO UPDATE SET up_to = greatest(r.up_to, excluded.up_to)
            RETURNING r.up_to
            """
        ).onlyRow().decode("up_to")
    }
}
