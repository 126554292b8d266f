package import Domain
package import FoundationEssentials
package import Postgres

/// An erasure that has begun.
package struct Erasure: Hashable, Sendable {
    package let account: AccountID
    package let sightings: LeavingChoice
    /// The position of its event; the account has no later ones.
    package let position: Int64
    package let begunAt: Date
    /// Whether no request of the account can be under way any more.
    package let isSettled: Bool
    fileprivate let job: Job

    /// The position up to which events of the account are dealt with.
    package var scannedTo: Int64 { job.progress }
    /// How often this step has been tried, this time included.
    package var attempts: Int { job.attempts }
}

/// The erasures of accounts that have begun, and what is left to do. An erasure begins with its event, in the
/// transaction of the append, and has a job until nothing is left to do. Its times are the database's.
package struct Erasures: Sendable {
    /// A stream that an account began.
    package enum Begun: Hashable, Sendable {
        case sighting(SightingID)
        case photo(PhotoID)
    }

    /// The kind of its jobs.
    private static let job = "erasure"

    private let database: any PostgresQuerying
    private let jobs: Jobs

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        (self.database, jobs) = (database, Jobs(database: database))
    }

    /// The accounts whose erasure is not finished.
    package func unfinished() async throws(PostgresError) -> [AccountID] {
        let result = try await database.query("SELECT subject FROM vault.jobs WHERE kind = \(Self.job)")
        var accounts: [AccountID] = []
        for row in result.rows { accounts.append(AccountID(try row.decode("subject"))) }
        return accounts
    }

    /// The accounts of a set whose erasure has begun or is finished.
    package func begun(among accounts: Set<AccountID>) async throws(PostgresError) -> Set<AccountID> {
        let result = try await database.query(
            "SELECT account FROM vault.erasures WHERE account = ANY(\(accounts.map(\.uuid)))")
        var begun: Set<AccountID> = []
        for row in result.rows { begun.insert(AccountID(try row.decode("account"))) }
        return begun
    }

    /// Claims an erasure with something to do; nil if there is none. If several processes claim at once, one gets it.
    /// - Parameters:
    ///   - claim: how long no other process gets it.
    ///   - settling: how long requests of the account may still be under way after the erasure began.
    package func claimNext(for claim: Duration, settling: Duration) async throws(PostgresError) -> Erasure? {
        guard let job = try await jobs.claim(anyOf: [Self.job], for: claim) else { return nil }
        let row = try await database.query(
            """
            SELECT sightings, position, begun_at,
                   begun_at <= log.clock() - make_interval(secs => \(settling / .seconds(1))) AS is_settled
              FROM vault.erasures WHERE account = \(job.subject)
            """
        ).onlyRow()
        guard let sightings = LeavingChoice(rawValue: try row.decode("sightings")) else {
            throw PostgresError(.decoding, "the choice of an erasure cannot be read")
        }
        return Erasure(
            account: AccountID(job.subject), sightings: sightings, position: try row.decode("position"),
            begunAt: try row.decode("begun_at"), isSettled: try row.decode("is_settled"), job: job)
    }

    /// Deletes what an account typed with the events of some positions, in all streams.
    /// - Returns: the sightings and photos that it began with them.
    package func forgetWords(
        of account: AccountID, after: Int64, upTo: Int64
    ) async throws(PostgresError) -> [Begun] {
        let result = try await database.query(
            """
            WITH own AS MATERIALIZED (
                SELECT e.stream, e.position, e.type FROM log.events e
                 WHERE e.position > \(after) AND e.position <= \(upTo) AND e.actor = \(account.uuid)),
            gone AS (
                DELETE FROM vault.content c
                 WHERE c.ctid = ANY (ARRAY(
                       SELECT t.ctid FROM own o
                        CROSS JOIN LATERAL (SELECT t.ctid FROM vault.content t
                                             WHERE t.stream = o.stream AND t.position = o.position OFFSET 0) t)))
            SELECT o.stream, o.type = \(PhotoUploaded.type) AS is_photo FROM own o
             WHERE o.type IN (\(PhotoUploaded.type), \(SightingSubmitted.type)) ORDER BY o.position
            """)
        var begun: [Begun] = []
        for row in result.rows {
            let (id, isPhoto): (UUID, Bool) = (try row.decode("stream"), try row.decode("is_photo"))
            begun.append(isPhoto ? .photo(PhotoID(id)) : .sighting(SightingID(id)))
        }
        return begun
    }

    /// Records that the events up to a position are dealt with, and renews the claim.
    /// - Returns: whether this process still has the erasure.
    package func scanned(
        _ erasure: Erasure, to position: Int64, claim: Duration
    ) async throws(PostgresError) -> Bool {
        try await jobs.renew(erasure.job, progress: position, for: claim)
    }

    /// Renews a claim.
    /// - Returns: whether this process still has the erasure.
    package func renew(_ erasure: Erasure, for claim: Duration) async throws(PostgresError) -> Bool {
        try await jobs.renew(erasure.job, for: claim)
    }

    /// Ends a claim once the account's texts are deleted. The erasure is due again when no request of the account can
    /// be under way any more.
    /// - Parameter settling: how long requests of the account may still be under way after the erasure began.
    package func settle(_ erasure: Erasure, for settling: Duration) async throws(PostgresError) {
        let row = try await database.query(
            """
            SELECT extract(epoch FROM begun_at - log.clock())::float8 AS seconds
              FROM vault.erasures WHERE account = \(erasure.account.uuid)
            """
        ).onlyRow()
        let begun: Double = try row.decode("seconds")
        try await jobs.goOn(erasure.job, after: max(.zero, settling + .seconds(begun)))
    }

    /// Ends a claim after a failure.
    /// - Parameter wait: the time until a process may claim it again.
    package func failed(_ erasure: Erasure, retryIn wait: Duration) async throws(PostgresError) {
        try await jobs.failed(erasure.job, retryIn: wait)
    }

    /// Records that the bytes of a photo have to go, unless a process that took over has finished the erasure.
    package func add(_ photo: PhotoID, of account: AccountID) async throws(PostgresError) {
        try await database.query(
            """
            INSERT INTO vault.erased_photos (account, photo)
            SELECT e.account, \(photo.uuid) FROM vault.erasures e
             WHERE e.account = \(account.uuid) AND e.finished_at IS NULL
            ON CONFLICT DO NOTHING
            """)
    }

    /// The photos whose bytes have to go.
    package func photos(of account: AccountID) async throws(PostgresError) -> [PhotoID] {
        let result = try await database.query(
            "SELECT photo FROM vault.erased_photos WHERE account = \(account.uuid) ORDER BY photo")
        var photos: [PhotoID] = []
        for row in result.rows { photos.append(PhotoID(try row.decode("photo", as: UUID.self))) }
        return photos
    }

    /// Records that the bytes of a photo are gone.
    package func remove(_ photo: PhotoID, of account: AccountID) async throws(PostgresError) {
        try await database.query(
            "DELETE FROM vault.erased_photos WHERE account = \(account.uuid) AND photo = \(photo.uuid)")
    }

    /// The uploads of an account that have files.
    package func uploads(of account: AccountID) async throws(PostgresError) -> [UUID] {
        let result = try await database.query("SELECT id FROM vault.uploads WHERE account = \(account.uuid)")
        var uploads: [UUID] = []
        for row in result.rows { uploads.append(try row.decode("id")) }
        return uploads
    }

    /// Deletes what else the vault has of an erased account.
    /// - Parameter isLast: whether no request of the account is under way any more.
    package func forget(_ account: AccountID, isLast: Bool) async throws(PostgresError) {
        try await database.query("SELECT vault.forget_account(\(account.uuid), \(isLast))")
    }

    /// Records that nothing is left to do.
    package func finish(_ erasure: Erasure) async throws(PostgresError) {
        try await database.query(
            """
            WITH done AS (\(fragment: Jobs.done(erasure.job)))
            UPDATE vault.erasures e SET finished_at = log.clock() FROM done d WHERE e.account = d.subject
            """)
    }
}
