package import Domain
package import Postgres

/// Counts the photos that accounts send in a day (UTC).
package struct PhotoQuotas: Sendable {
    /// The quota of a day.
    package struct Limits: Hashable, Sendable {
        package var photos: Int
        package var bytes: Int

        /// 200 photos and 1 GB.
        package init(photos: Int = 200, bytes: Int = 1_000_000_000) {
            self.photos = photos
            self.bytes = bytes
        }
    }

    private let database: any PostgresQuerying
    private let limits: Limits

    /// Counts through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying, limits: Limits = Limits()) {
        self.database = database
        self.limits = limits
    }

    /// Whether a photo would be counted now.
    package func hasRoom(
        for account: AccountID, bytes: Int, on day: CivilDate
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            SELECT coalesce(max(q.photos), 0) < \(Int64(limits.photos))
                   AND coalesce(max(q.bytes), 0) + \(Int64(bytes)) <= \(Int64(limits.bytes)) AS room
              FROM vault.photo_quotas q
             WHERE q.account = \(account.uuid) AND q.day = \(day.description)::text::date
            """
        ).onlyRow().decode("room")
    }

    /// Counts a photo.
    /// - Returns: whether the quota had room for it; otherwise it is not counted.
    package func use(_ account: AccountID, bytes: Int, on day: CivilDate) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            SELECT vault.use_photo_quota(\(account.uuid), \(day.description)::text::date, \(Int64(bytes)),
                                         \(Int64(limits.photos)), \(Int64(limits.bytes))) AS used
            """
        ).onlyRow().decode("used")
    }
}
