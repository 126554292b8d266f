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

/// A mail that waits to be sent.
package struct QueuedMail: Hashable, Sendable {
    package let id: UUID
    package let kind: MailKind
    /// Nil: that of whoever holds the address when the mail is sent.
    package let account: AccountID?
    package let address: EmailAddress

    package init(id: UUID = UUID(), _ kind: MailKind, account: AccountID?, to address: EmailAddress) {
        (self.id, self.kind, self.account, self.address) = (id, kind, account, address)
    }
}

/// A mail that this process sends: no other one does until the claim has ended.
package struct ClaimedMail: Sendable {
    package let mail: QueuedMail
    /// This one included.
    package let attempts: Int
    fileprivate let claim: UUID
}

/// The queue of mails. Its times are the database's, so that processes whose clocks differ agree on them.
package struct Mails: Sendable {
    /// How long a process may take to send a mail, before another one tries.
    package static let claim: Duration = .seconds(120)
    /// How long it is remembered that a mail was sent, so that queuing it again has no effect.
    package static let memory: Duration = .seconds(86_400)

    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
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
        let claim = UUID()
        let result = try await database.query(
            """
            UPDATE vault.mails m
               SET claim = \(claim), attempts = m.attempts + 1,
                   next_at = log.clock() + make_interval(secs => \(Self.claim / .seconds(1)))
             WHERE m.id = (SELECT c.id FROM vault.mails c
                            WHERE c.sent_at IS NULL AND c.next_at <= log.clock() AND c.expires_at > log.clock()
                              AND c.kind = ANY(\(MailKind.allCases.map(\.rawValue)))
                            ORDER BY c.next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING m.id, m.kind, m.account, m.address, m.attempts
            """)
        guard let row = result.first else { return nil }
        let account: UUID? = try row.decode("account")
        guard let kind = MailKind(rawValue: try row.decode("kind")),
            let address = try? EmailAddress(try row.decode("address"))
        else { throw PostgresError(.decoding, "a mail of the queue cannot be read") }
        let attempts: Int32 = try row.decode("attempts")
        return ClaimedMail(
            mail: QueuedMail(id: try row.decode("id"), kind, account: account.map { AccountID($0) }, to: address),
            attempts: Int(attempts), claim: claim)
    }

    /// Records that a mail was sent, and forgets its address.
    package func sent(_ claimed: ClaimedMail) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.mails SET sent_at = log.clock(), address = NULL, claim = NULL
             WHERE id = \(claimed.mail.id) AND claim = \(claimed.claim)
            """)
    }

    /// Ends an attempt that failed.
    /// - Parameter wait: the time until the mail is due again.
    package func failed(_ claimed: ClaimedMail, retryIn wait: Duration) async throws(PostgresError) {
        try await database.query(
            """
            UPDATE vault.mails
               SET claim = NULL, next_at = log.clock() + make_interval(secs => \(wait / .seconds(1)))
             WHERE id = \(claimed.mail.id) AND claim = \(claimed.claim)
            """)
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
