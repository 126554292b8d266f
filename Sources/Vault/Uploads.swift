package import Domain
package import FoundationEssentials
package import Postgres

/// A photo that arrives in several requests.
package struct Upload: Hashable, Sendable {
    package let id: UUID
    package let account: AccountID
    /// The sighting that gets the photo.
    package let sighting: SightingID
    /// The key of the request that began it.
    package let key: UUID
    /// The total number of bytes; nil until the client has announced it.
    package let length: Int?
    /// Whether the photo has been added.
    package let isComplete: Bool

    package init(
        id: UUID, account: AccountID, sighting: SightingID, key: UUID, length: Int?, isComplete: Bool = false
    ) {
        (self.id, self.account, self.sighting, self.key) = (id, account, sighting, key)
        (self.length, self.isComplete) = (length, isComplete)
    }
}

/// Keeps the state of uploads.
package struct Uploads: Sendable {
    /// How long an upload is kept: a day, in seconds.
    package static let seconds = 86_400
    /// The most incomplete uploads that an account may have.
    package static let most = 20

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Adds an upload.
    /// - Returns: false if the account has too many incomplete ones.
    package func begin(_ upload: Upload, at now: Instant) async throws(PostgresError) -> Bool {
        let until = now.adding(seconds: Self.seconds)
        return try await database.query(
            """
            SELECT vault.begin_upload(\(upload.id), \(upload.account.uuid), \(upload.sighting.uuid), \(upload.key),
                                      \(upload.length.map(Int64.init)), \(now.text())::text::timestamptz,
                                      \(until.text())::text::timestamptz, \(Int64(Self.most))) AS begun
            """
        ).onlyRow().decode("begun")
    }

    /// An upload of an account; nil if it does not exist or has expired.
    package func upload(_ id: UUID, of account: AccountID, at now: Instant) async throws(PostgresError) -> Upload? {
        let found = try await database.query(
            """
            SELECT id, sighting, key, length, complete FROM vault.uploads
             WHERE id = \(id) AND account = \(account.uuid) AND until > \(now.text())::text::timestamptz
            """)
        guard let row = found.rows.first else { return nil }
        let length: Int64? = try row.decode("length")
        return Upload(
            id: try row.decode("id"), account: account, sighting: SightingID(try row.decode("sighting")),
            key: try row.decode("key"), length: length.map(Int.init), isComplete: try row.decode("complete"))
    }

    /// Stores the total number of bytes of an upload.
    package func setLength(_ length: Int, of id: UUID) async throws(PostgresError) {
        try await database.query("UPDATE vault.uploads SET length = \(Int64(length)) WHERE id = \(id)")
    }

    /// Records that the photo has been added.
    package func complete(_ id: UUID) async throws(PostgresError) {
        try await database.query("UPDATE vault.uploads SET complete = true WHERE id = \(id)")
    }

    /// Removes an upload.
    package func end(_ id: UUID) async throws(PostgresError) {
        try await database.query("DELETE FROM vault.uploads WHERE id = \(id)")
    }

    /// Removes expired uploads.
    package func forgetExpired(at now: Instant) async throws(PostgresError) {
        try await database.query("DELETE FROM vault.uploads WHERE until <= \(now.text())::text::timestamptz")
    }
}
