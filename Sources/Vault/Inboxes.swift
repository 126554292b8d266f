package import Domain
package import Postgres

/// The stored notifications of accounts.
package struct Inboxes: Sendable {
    private let database: any PostgresQuerying

    /// Writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Notes that an account has notifications from now on; does nothing if it has some.
    package func open(of account: AccountID) async throws(PostgresError) {
        try await database.query(
            "INSERT INTO vault.inboxes (account) VALUES (\(account.uuid)) ON CONFLICT (account) DO NOTHING")
    }

    /// Deletes the notifications of an account. They are filled again when they are read, if the account exists.
    package func forget(_ account: AccountID) async throws(PostgresError) {
        try await database.query("SELECT vault.forget_inbox(\(account.uuid))")
    }
}
