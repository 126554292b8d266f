package import Domain
import EventLog
import FoundationEssentials
package import Postgres

/// The accounts that changed, and how far the read model is.
package struct AccountChanges: Hashable, Sendable {
    /// Accounts with an event above the position asked for.
    package let accounts: [AccountID]
    /// The position that the model has reached.
    package let position: Int64
    /// The head of the log.
    package let head: Int64

    package init(accounts: [AccountID], position: Int64, head: Int64) {
        (self.accounts, self.position, self.head) = (accounts, position, head)
    }
}

/// Reads the accounts' read model.
package struct AccountQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// Whether another account is an admin, and not suspended.
    /// - Throws: `PostgresError`.
    package func hasAdmin(besides account: AccountID) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            select exists (select from \(identifier: ReadModel.accounts.schema).accounts a
                            where a.id <> \(account.uuid) and 'admin' = any(a.roles)
                              and not (a.suspended and (a.suspended_until > log.clock()) is not false)) as found
            """
        ).onlyRow().decode("found")
    }

    /// The accounts with an event above a position that the model has folded, all of one snapshot.
    /// - Parameter position: nil for no accounts.
    /// - Throws: `PostgresError`.
    package func changes(after position: Int64?) async throws(PostgresError) -> AccountChanges {
        // Two bounds: with one alone, a table that was never analysed would be read from end to end.
        let result = try await database.query(
            """
            select c.position, (select coalesce(max(e.position), 0) from log.events e) as head,
                   array(select a.id from \(identifier: ReadModel.accounts.schema).accounts a
                          where a.position > \(position ?? .max) and a.position < \(Int64.max)) as accounts
              from model.checkpoints c
             where \(fragment: ReadModel.accounts.isItsCheckpoint)
            """)
        // Without a checkpoint the model is not installed yet, and nothing is known.
        guard let row = result.first else { return AccountChanges(accounts: [], position: 0, head: .max) }
        return AccountChanges(
            accounts: try row.decode("accounts", as: [UUID].self).map(AccountID.init),
            position: try row.decode("position"), head: try row.decode("head"))
    }
}
