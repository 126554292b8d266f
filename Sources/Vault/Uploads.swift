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
    /// Whether it was ended to make room for others.
    package let isEnded: Bool

    package init(
        id: UUID, account: AccountID, sighting: SightingID, key: UUID, length: Int?, isComplete: Bool = false,
        isEnded: Bool = false
    ) {
        (self.id, self.account, self.sighting, self.key) = (id, account, sighting, key)
        (self.length, self.isComplete, self.isEnded) = (length, isComplete, isEnded)
    }
}

/// Keeps the state of uploads. Those that are unfinished count towards the quota of the day on which they began, and
/// are bounded together.
package struct Uploads: Sendable {
    /// How long an upload is kept: a day, in seconds.
    package static let seconds = 86_400
    /// The most unfinished uploads that an account may have.
    package static let most = 20
    /// The same before its address is verified.
    package static let mostUnverified = 3

    /// What became of an upload that was to begin.
    package enum Beginning: Hashable, Sendable {
        /// It has begun; these uploads of other accounts were ended to make room, and are to be counted as what has
        /// arrived of them.
        case begun(ended: [UUID])
        /// The account has too many that are unfinished.
        case tooMany
        /// The account's quota of the day is used up.
        case quota
        /// All accounts together have too many bytes in unfinished uploads.
        case full
    }

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Adds an upload, and counts it towards the quota of the day.
    /// - Parameter bytes: what it counts as.
    package func begin(
        _ upload: Upload, countingAs bytes: Int, of share: PhotoQuotas.Share, at now: Instant
    ) async throws(PostgresError) -> Beginning {
        let until = now.adding(seconds: Self.seconds)
        let row = try await database.query(
            """
            SELECT outcome, ended FROM vault.reserve_upload(
                \(upload.id), \(upload.account.uuid), \(upload.sighting.uuid), \(upload.key),
                \(upload.length.map(Int64.init)), \(Int64(bytes)), \(now.date().description)::text::date,
                \(now.text())::text::timestamptz, \(until.text())::text::timestamptz, \(share.uploads), \(share.photos),
                \(share.bytes), \(share.unfinishedBytes))
            """
        ).onlyRow()
        return switch try row.decode("outcome", as: String.self) {
        case "begun": .begun(ended: try row.decode("ended"))
        case "too-many": .tooMany
        case "quota": .quota
        case "full": .full
        default: throw PostgresError(.decoding, "reserve_upload gave an outcome that is not known")
        }
    }

    /// An upload of an account; nil if it does not exist or has expired.
    package func upload(_ id: UUID, of account: AccountID, at now: Instant) async throws(PostgresError) -> Upload? {
        let found = try await database.query(
            """
            SELECT id, sighting, key, length, complete, ended FROM vault.uploads
             WHERE id = \(id) AND account = \(account.uuid) AND until > \(now.text())::text::timestamptz
            """)
        guard let row = found.rows.first else { return nil }
        let length: Int64? = try row.decode("length")
        return Upload(
            id: try row.decode("id"), account: account, sighting: SightingID(try row.decode("sighting")),
            key: try row.decode("key"), length: length.map(Int.init), isComplete: try row.decode("complete"),
            isEnded: try row.decode("ended"))
    }

    /// Stores the total number of bytes of an upload, as which it counts from now on.
    /// - Returns: false if it has another length already, or is gone.
    package func setLength(_ length: Int, of id: UUID) async throws(PostgresError) -> Bool {
        try await database.query("SELECT vault.set_upload_length(\(id), \(Int64(length))) AS is_set")
            .onlyRow().decode("is_set")
    }

    /// Lowers what an upload counts as to the bytes that have arrived of it. Idempotent.
    package func count(_ id: UUID, as bytes: Int) async throws(PostgresError) {
        try await database.query("SELECT vault.count_upload(\(id), \(Int64(bytes)))")
    }

    /// Records that the photo has been added, also of an upload that was just ended to make room.
    /// - Parameter isFree: whether nothing was added after all; then it counts towards no quota any longer.
    package func complete(_ id: UUID, countingAsNothing isFree: Bool) async throws(PostgresError) {
        try await database.query(
            """
            WITH done AS (
                UPDATE vault.uploads SET complete = true, ended = false WHERE id = \(id) AND NOT complete
                RETURNING account, day, reserved)
            UPDATE vault.photo_quotas q
               SET photos = greatest(0, q.photos - 1), bytes = greatest(0, q.bytes - d.reserved)
              FROM done d WHERE \(isFree) AND q.account = d.account AND q.day = d.day
            """)
    }

    /// Removes an upload. It still counts as a photo of the day, with the bytes that have arrived: otherwise a client
    /// could send and end uploads without end.
    /// - Parameter arrived: nil where the bytes are unknown; then it counts as before.
    package func end(_ id: UUID, arrived: Int?) async throws(PostgresError) {
        try await database.query(
            """
            WITH ended AS (DELETE FROM vault.uploads WHERE id = \(id) RETURNING account, day, reserved)
            UPDATE vault.photo_quotas q
               SET bytes = greatest(0, q.bytes - greatest(0, e.reserved - \(Int64(arrived ?? .max))))
              FROM ended e WHERE q.account = e.account AND q.day = e.day
            """)
    }

    /// Removes expired uploads.
    package func forgetExpired(at now: Instant) async throws(PostgresError) {
        // In the order in which every statement locks several uploads.
        try await database.query(
            """
            WITH expired AS MATERIALIZED (
                SELECT id FROM vault.uploads WHERE until <= \(now.text())::text::timestamptz
                 ORDER BY until, id FOR UPDATE)
            DELETE FROM vault.uploads u USING expired e WHERE u.id = e.id
            """)
    }

    /// Those of some uploads that are gone, or were ended to make room.
    package func gone(of ids: [UUID]) async throws(PostgresError) -> [UUID] {
        let result = try await database.query(
            """
            SELECT i.id FROM unnest(\(ids)) i (id)
             WHERE NOT EXISTS (SELECT FROM vault.uploads u WHERE u.id = i.id AND NOT u.ended)
            """)
        var gone: [UUID] = []
        for row in result.rows { gone.append(try row.decode("id")) }
        return gone
    }
}
