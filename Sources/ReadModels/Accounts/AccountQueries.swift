package import Domain
internal import EventLog
internal import FoundationEssentials
package import Postgres

/// Reads accounts.
package struct AccountQueries: Sendable {
    private let database: any PostgresQuerying

    /// Reads through a connection or a pool; statements are short and change nothing.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// An account; nil when there is none.
    /// - Throws: `PostgresError`.
    package func account(_ id: AccountID) async throws(PostgresError) -> AccountRow? {
        try await first("id = \(id.uuid)")
    }

    /// The account behind a pseudonym; nil when there is none.
    /// - Throws: `PostgresError`.
    package func account(observer: ObserverID) async throws(PostgresError) -> AccountRow? {
        try await first("observer = \(observer.uuid)")
    }

    private func first(_ condition: SQL) async throws(PostgresError) -> AccountRow? {
        let schema = ReadModel.accounts.schema
        let result = try await database.query(
            """
            select \(fragment: AccountRow.columns)
              from \(identifier: schema).accounts where \(fragment: condition)
            """)
        guard let row = result.first else { return nil }
        return try AccountRow(row)
    }
}
