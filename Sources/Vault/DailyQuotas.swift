package import Domain
package import Postgres

/// Counts what accounts do in a day (UTC).
package struct DailyQuotas: Sendable {
    /// The things that are counted.
    package enum Kind: String, Sendable {
        case flags
    }

    private let database: any PostgresQuerying

    /// Counts through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Counts one use.
    /// - Returns: whether the quota had room for it; otherwise it is not counted.
    package func use(
        _ kind: Kind, of account: AccountID, on day: CivilDate, atMost limit: Int
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            SELECT vault.use_daily_quota(\(account.uuid), \(kind.rawValue), \(day.description)::text::date,
                                         \(Int64(limit))) AS used
            """
        ).onlyRow().decode("used")
    }
}
