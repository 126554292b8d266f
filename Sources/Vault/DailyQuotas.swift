package import Domain
package import Postgres

/// Counts what accounts do in a day (UTC).
package struct DailyQuotas: Sendable {
    /// The things that are counted.
    package enum Kind: String, Sendable {
        case flags
        /// Exports that are to be made.
        case exports
        /// Of an account whose e-mail address is not verified.
        case sightings
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

    /// Gives one use back, because it came to nothing.
    package func giveBack(_ kind: Kind, of account: AccountID, on day: CivilDate) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.daily_quotas SET used = used - 1
             WHERE account = \(account.uuid) AND kind = \(kind.rawValue) AND day = \(day.description)::text::date
               AND used > 0
            """)
    }
}
