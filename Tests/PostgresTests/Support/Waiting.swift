import Postgres

/// Asks the server until it says yes; every question is a round trip, so this neither sleeps nor spins for long.
func waitUntil(_ database: some PostgresQuerying, _ condition: SQL) async throws {
    while try await database.query("SELECT (\(fragment: condition)) AS yes").first?.decode("yes", as: Bool.self) != true
    {
        try Task.checkCancellation()
    }
}

/// Lets other tasks run as long as a condition holds.
func wait(while condition: @autoclosure () async throws -> Bool) async throws {
    while try await condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// Whether the server process is in `pg_sleep`.
func isSleeping(_ backendPID: Int32) -> SQL {
    "EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(backendPID) AND wait_event = 'PgSleep')"
}

/// Whether the server process waits for an advisory lock.
func isWaitingForLock(_ backendPID: Int32) -> SQL {
    "EXISTS (SELECT FROM pg_locks WHERE pid = \(backendPID) AND locktype = 'advisory' AND NOT granted)"
}
