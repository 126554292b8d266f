import EventLog
package import Postgres

/// The log as a process finds it when it starts.
package struct LogStart: Sendable {
    package let epoch: Int64
    /// The head.
    package let position: Int64
    /// The key of the fingerprints, and the one from which those of sealed positions are derived. It never changes.
    package let key: [UInt8]

    /// - Throws: `PostgresError`.
    package static func read(_ pool: PostgresPool) async throws -> LogStart {
        let origin = try await LogOrigin.read(pool)
        let key: [UInt8] = try await pool.query("select key from log.head").onlyRow().decode("key")
        return LogStart(epoch: origin.epoch, position: origin.position, key: key)
    }
}
