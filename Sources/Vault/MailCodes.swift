package import Domain
package import FoundationEssentials
package import Postgres

/// The purpose of a mailed code.
package struct MailedCode: Hashable, Sendable {
    package let kind: MailKind
    package let account: AccountID
    /// The address that received it.
    package let address: EmailAddress

    package init(kind: MailKind, account: AccountID, address: EmailAddress) {
        (self.kind, self.account, self.address) = (kind, account, address)
    }
}

/// The codes that mails carried, by their digests. A code is good for one command, which may be retried.
package struct MailCodes: Sendable {
    private let database: any PostgresQuerying

    /// Reads and writes through a connection or a pool; each statement is a transaction of its own.
    package init(database: any PostgresQuerying) {
        self.database = database
    }

    /// Adds a code, before its mail is sent.
    /// - Parameter lifetime: how long it is valid.
    package func add(
        _ code: MailCode, for purpose: MailedCode, lifetime: Duration
    ) async throws(PostgresError) {
        try await database.query(
            """
            INSERT INTO vault.mail_codes (digest, kind, account, address, expires_at)
            VALUES (\(code.digest), \(purpose.kind.rawValue), \(purpose.account.uuid), \(purpose.address.text),
                    log.clock() + make_interval(secs => \(lifetime / .seconds(1))))
            """)
    }

    /// The purpose of a code, even if it has been used or has expired lately; nil if it is not known.
    /// - Parameter kinds: those that the caller accepts.
    package func find(_ code: MailCode, kinds: [MailKind]) async throws(PostgresError) -> MailedCode? {
        let result = try await database.query(
            """
            SELECT kind, account, address FROM vault.mail_codes
             WHERE digest = \(code.digest) AND kind = ANY(\(kinds.map(\.rawValue)))
            """)
        guard let row = result.first, let kind = MailKind(rawValue: try row.decode("kind")),
            let address = try? EmailAddress(try row.decode("address"))
        else { return nil }
        return MailedCode(kind: kind, account: AccountID(try row.decode("account")), address: address)
    }

    /// Uses a code for a command. If several commands use it at once, one gets it.
    /// - Returns: whether it is good for the command: not expired and not used, or used by the same command.
    package func use(_ code: MailCode, for command: UUID) async throws(PostgresError) -> Bool {
        try await database.query(
            """
            UPDATE vault.mail_codes SET used_by = \(command)
             WHERE digest = \(code.digest)
               AND (used_by IS NULL AND expires_at > log.clock() OR used_by = \(command))
            """
        ).affectedCount > 0
    }

    /// Deletes the unused codes of some kinds of an account.
    package func void(_ kinds: [MailKind], of account: AccountID) async throws(PostgresError) {
        try await database.query(
            """
            DELETE FROM vault.mail_codes
             WHERE account = \(account.uuid) AND kind = ANY(\(kinds.map(\.rawValue))) AND used_by IS NULL
            """)
    }

    /// Deletes all codes of an account.
    package func forget(_ account: AccountID) async throws(PostgresError) {
        try await database.query("DELETE FROM vault.mail_codes WHERE account = \(account.uuid)")
    }

    /// Deletes codes that expired more than a day ago; until then, a retry finds the first outcome.
    package func purge() async throws(PostgresError) {
        try await database.query(
            "DELETE FROM vault.mail_codes WHERE expires_at <= log.clock() - interval '1 day'")
    }
}
