import Postgres
import TestSupport
import Testing

/// Asks the server until it says yes.
func waitUntil(
    _ database: some PostgresQuerying, _ condition: SQL, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await until("\(condition.text)", every: .milliseconds(2), sourceLocation: sourceLocation) {
        try await database.query("SELECT (\(fragment: condition)) AS yes").first?.decode("yes", as: Bool.self) == true
    }
}

/// Lets other tasks run as long as a condition holds.
func wait(
    while condition: @autoclosure () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    try await until(every: .milliseconds(2), sourceLocation: sourceLocation) { try await !condition() }
}

/// Whether the server process is in `pg_sleep`.
func isSleeping(_ backendPID: Int32) -> SQL {
    "EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(backendPID) AND wait_event = 'PgSleep')"
}

/// Whether the server process waits for an advisory lock.
func isWaitingForLock(_ backendPID: Int32) -> SQL {
    "EXISTS (SELECT FROM pg_locks WHERE pid = \(backendPID) AND locktype = 'advisory' AND NOT granted)"
}
