package import Domain
package import FoundationEssentials
package import Postgres

/// The subjects of mails.
package enum MailKind: String, CaseIterable, Sendable {
    /// A code that proves the address of a new account.
    case verification
    /// A code that proves another address, which the account is to have.
    case address
    /// News for the former address.
    case addressChanged = "address-changed"
    /// A code that permits another password.
    case reset
    /// News that a code was used for another password.
    case passwordReset = "password-reset"
    /// News that the owner has changed the password.
    case passwordChanged = "password-changed"
}

extension MailKind {
    /// The kind of the jobs of such mails.
    fileprivate var job: String { "mail-" + rawValue }
}

/// A mail that waits to be sent.
package struct QueuedMail: Hashable, Sendable {
    package let id: UUID
    package let kind: MailKind
    /// nil for the account that has the address when the mail is sent.
    package let account: AccountID?
    package let address: EmailAddress

    package init(id: UUID = UUID(), _ kind: MailKind, account: AccountID?, to address: EmailAddress) {
        (self.id, self.kind, self.account, self.address) = (id, kind, account, address)
    }
}

/// A mail that this process sends: no other process does until the claim has ended.
package struct ClaimedMail: Sendable {
    package let mail: QueuedMail
    fileprivate let job: Job
    /// Attempts to send it, this one included.
    package var attempts: Int { job.attempts }
}

/// The queue of mails. Each mail that waits to be sent has a job, which the database adds and deletes with the mail.
/// Times are the database's, so that processes whose clocks differ agree on them.
package struct Mails: Sendable {
    /// How long a process may take to send a mail, before another one tries.
    package static let claim: Duration = .seconds(120)
    /// How long it is remembered that a mail was sent, so that queuing it again has no effect.
    package static let memory: Duration = .seconds(86_400)

    private let database: any PostgresQuerying
    private let jobs: Jobs

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        (self.database, jobs) = (database, Jobs(database: database))
    }

    /// Queues a mail; without effect if one with its id is queued, or was sent lately.
    /// - Parameter lifetime: how long it is worth sending.
    package func queue(_ mail: QueuedMail, lifetime: Duration) async throws(PostgresError) {
        try await database.query(
            """
            INSERT INTO vault.mails (id, kind, account, address, expires_at)
            VALUES (\(mail.id), \(mail.kind.rawValue), \(mail.account?.uuid), \(mail.address.text),
                    log.clock() + make_interval(secs => \(lifetime / .seconds(1))))
            ON CONFLICT (id) DO NOTHING
            """)
    }

    /// Claims the mail that has been due for the longest time; nil if none is due. If several processes claim
    /// at once, one gets it.
    /// - Throws: `PostgresError`.
    package func claimNext() async throws(PostgresError) -> ClaimedMail? {
        while let job = try await jobs.claim(anyOf: MailKind.allCases.map(\.job), for: Self.claim) {
            let result = try await database.query(
                """
                SELECT id, kind, account, address FROM vault.mails
                 WHERE id = \(job.subject) AND sent_at IS NULL AND expires_at > log.clock()
                """)
            guard let row = result.first else {
                // It has expired: the purge counts it.
                try await jobs.drop(job)
                continue
            }
            let account: UUID? = try row.decode("account")
            guard let kind = MailKind(rawValue: try row.decode("kind")),
                let address = try? EmailAddress(try row.decode("address"))
            else { throw PostgresError(.decoding, "a mail of the queue cannot be read") }
            return ClaimedMail(
                mail: QueuedMail(id: try row.decode("id"), kind, account: account.map { AccountID($0) }, to: address),
                job: job)
        }
        return nil
    }

    /// Records that a mail was sent, and forgets its address. The mail is locked before its job, in the order in which
    /// deleting a mail locks them, so that the two cannot deadlock.
    package func sent(_ claimed: ClaimedMail) async throws(PostgresError) {
        try await database.query(
            """
            WITH mail AS MATERIALIZED (
                SELECT m.id FROM vault.mails m WHERE m.id = \(claimed.mail.id) FOR UPDATE
            ), done AS (\(fragment: Jobs.done(claimed.job, after: "mail")))
            UPDATE vault.mails m SET sent_at = log.clock(), address = NULL FROM done d WHERE m.id = d.subject
            """)
    }

    /// Ends an attempt that failed.
    /// - Parameter wait: the time until the mail is due again.
    package func failed(_ claimed: ClaimedMail, retryIn wait: Duration) async throws(PostgresError) {
        try await jobs.failed(claimed.job, retryIn: wait)
    }

    /// Deletes mails that have expired, and those that were sent more than a day ago.
    /// - Returns: the number of those that were not sent.
    package func purge() async throws(PostgresError) -> Int {
        try await database.query(
            """
            DELETE FROM vault.mails
             WHERE sent_at <= log.clock() - make_interval(secs => \(Self.memory / .seconds(1)))
            """)
        return try await database.query(
            "DELETE FROM vault.mails WHERE sent_at IS NULL AND expires_at <= log.clock()"
        ).affectedCount
    }

    /// Deletes the mails of a kind to an account that have not been sent.
    package func withdraw(_ kind: MailKind, to account: AccountID) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.mails
             WHERE account = \(account.uuid) AND kind = \(kind.rawValue) AND sent_at IS NULL
            """)
    }

    /// Deletes the mails to an account, sent or not, and those to its address.
    package func forget(_ account: AccountID, at address: EmailAddress) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.mails
             WHERE account = \(account.uuid) OR lower(address) = \(address.comparable)
            """)
    }
}
