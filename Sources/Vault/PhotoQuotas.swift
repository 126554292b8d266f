package import Domain
package import Postgres

/// Counts the photos that accounts send in a day (UTC), and their bytes, from the moment at which they begin to arrive:
/// a photo that is rejected, or an upload that is ended, counts with the bytes that have arrived.
package struct PhotoQuotas: Sendable {
    /// What accounts may send; nil for no limit.
    package struct Limits: Hashable, Sendable {
        /// Photos of an account, a day.
        package var photos: Int?
        /// Their bytes.
        package var bytes: Int?
        /// The same before the account's address is verified.
        package var unverifiedBytes: Int?
        /// Bytes that the unfinished uploads of all accounts may have together.
        package var unfinishedBytes: Int?

        package init(
            photos: Int? = 200, bytes: Int? = 1_000_000_000, unverifiedBytes: Int? = 100_000_000,
            unfinishedBytes: Int? = 10_000_000_000
        ) {
            (self.photos, self.bytes) = (photos, bytes)
            (self.unverifiedBytes, self.unfinishedBytes) = (unverifiedBytes, unfinishedBytes)
        }

        /// Those of an account.
        package func share(isVerified: Bool) -> Share {
            let most = bytes ?? .max
            return Share(
                photos: Int64(photos ?? .max), bytes: Int64(isVerified ? most : min(most, unverifiedBytes ?? .max)),
                uploads: Int64(isVerified ? Uploads.most : Uploads.mostUnverified),
                unfinishedBytes: Int64(unfinishedBytes ?? .max))
        }
    }

    /// The limits of one account, as numbers of the database.
    package struct Share: Hashable, Sendable {
        let photos: Int64
        let bytes: Int64
        /// Unfinished uploads.
        let uploads: Int64
        /// Bytes of the unfinished uploads of all accounts.
        let unfinishedBytes: Int64
    }

    private let database: any PostgresQuerying

    /// Counts through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Counts a photo.
    /// - Returns: whether the quota had room for it; otherwise it is not counted.
    package func use(
        _ account: AccountID, bytes: Int, on day: CivilDate, of share: Share
    ) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            SELECT vault.use_photo_quota(\(account.uuid), \(day.description)::text::date, \(Int64(bytes)),
                                         \(share.photos), \(share.bytes)) AS used
            """
        ).onlyRow().decode("used")
    }

    /// Gives back what was counted before it arrived.
    /// - Parameter photos: 1 if the photo was not attempted at all, otherwise 0.
    package func giveBack(
        photos: Int = 0, bytes: Int, to account: AccountID, on day: CivilDate
    ) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.photo_quotas
               SET photos = greatest(0, photos - \(Int64(photos))), bytes = greatest(0, bytes - \(Int64(bytes)))
             WHERE account = \(account.uuid) AND day = \(day.description)::text::date
            """)
    }
}
