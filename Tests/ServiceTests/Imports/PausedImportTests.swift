import EventLog
import Logging
import Postgres
import TestSupport
import Testing

@testable import Service

/// Imports that wait for the log.
@Suite(.timeLimit(.minutes(2)))
struct PausedImportTests {
    /// Far more repetitions than the buffers of a connection hold.
    private static let rows = [WrenRow](repeating: WrenRow(id: ""), count: 40_000)

    @Test func `an import that waits holds no snapshot and no transaction`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("same.csv", WrenRow.file(Self.rows))
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let owner = try await PostgresConnection.connect(log.database.owner, logger: logger)
            let importing = Task { try await log.importRows(file) }
            while log.appender.statistics.commands < 1_000 { await Task.yield() }
            _ = try await owner.query("begin")
            _ = try await owner.query("select from log.head for update")
            while try await sessions(owner, "query like '%log.append%' and wait_event_type = 'Lock'") == 0 {}
            // The look-ups of chunks that were read before end by themselves.
            while try await sessions(owner, "query not like '%log.append%' and (\(Self.holds))") > 0 {}
            #expect(try await sessions(owner, "query like '%log.append%' and wait_event_type = 'Lock'") == 1)
            importing.cancel()
            _ = try await owner.query("rollback")
            _ = await importing.result
            await owner.close()
        }
    }

    private static let holds = "backend_xmin is not null or backend_xid is not null or xact_start is not null"

    /// The number of other sessions in the database of which a condition is true.
    private func sessions(_ owner: PostgresConnection, _ condition: String) async throws -> Int {
        // Within a transaction, statistics would stay what they were when first read.
        _ = try await owner.query("select pg_stat_clear_snapshot()")
        return try await owner.query(
            """
            select from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and \(fragment: SQL(unsafeText: condition))
            """
        ).count
    }

    @Test(arguments: [1, 2, 3, 7, 100]) func `repetitions are found whatever the size of a page`(size: Int)
        async throws
    {
        let all = [3, 4, 7, 8, 9, 20].map { RowRepetition(row: $0, ordinal: $0 - 1, hasSameContent: $0 == 7) }
        var repetitions = RowRepetitions(size: size) { row, limit in
            Array(all.filter { $0.row >= row }.prefix(limit))
        }
        for row in 1...25 where row != 5 {
            #expect(try await repetitions.repetition(at: row) == all.first { $0.row == row })
        }
    }
}
