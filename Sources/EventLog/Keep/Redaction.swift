package import FoundationEssentials
package import Postgres

/// Turns one event's payload into a tombstone: the only change the log ever sees, through the redactor's role.
package enum Redaction {
    /// - Parameters:
    ///   - position: the event whose payload goes, and the content written with it.
    ///   - reason: a word of the domain's `RedactionReason`; folds read it back.
    ///   - owner: the owner's connection; the service's role may not.
    ///   - now: this process's clock.
    /// - Returns: the position of the `PayloadRedacted` event; the first one's when it was redacted before for this
    ///   reason.
    /// - Throws: `PostgresError` (SQLSTATE SKE05: nothing there that can be redacted; SKE02: the clock is rejected).
    package static func redact(
        position: Int64, reason: String, _ owner: some PostgresQuerying, now: Date = Date()
    ) async throws(PostgresError) -> Int64 {
        let command = CommandID.named("redact", String(position), reason)
        let result = try await owner.query(
            """
            select log.redact(\(position), \(reason), \(command), \(UUID.random()), \(now)) as position
            """)
        return try result.onlyRow().decode("position")
    }
}
