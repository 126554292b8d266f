import EventLog
import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

struct ModelRebuilderTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static let model = seen(foldTime: 0)
    /// Too slow for ``appending(to:_:)``: twenty events a second.
    private static let slow = seen(foldTime: 0.25)

    /// One row for each event.
    /// - Parameter foldTime: seconds that each fold takes longer.
    private static func seen(foldTime: Double) -> ReadModel {
        ReadModel(
            name: "seen", version: 1, table: "create table seen (position bigint primary key)",
            fold: """
                create or replace function fold(after bigint, upto bigint) returns void language sql
                set search_path from current as $$
                select pg_sleep(\(foldTime));
                insert into seen select e.position from log.events e where e.position > after and e.position <= upto$$
                """,
            digest: ["seen": ["position"]])
    }

    private func rebuild(
        _ log: LogFixture, _ model: ReadModel = model, batch: Int64 = 5, swapTime: Duration = .seconds(60)
    ) async throws -> Int64 {
        try await log.withPool {
            try await ModelRebuilder($0, swapTime: swapTime, logger: logger).rebuild(model, batch: batch)
        }
    }

    /// Appends all the time while something runs.
    private func appending(to log: LogFixture, _ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { while !Task.isCancelled { try await log.fill(1) } } }
            try await body()
            group.cancelAll()
        }
    }

    /// A session that holds the checkpoint as a projector does: a rebuild's swap waits for it.
    private func holdingCheckpoint(_ log: LogFixture) async throws -> PostgresConnection {
        let projector = try await PostgresConnection.connect(log.database.service, logger: logger)
        _ = try await projector.query("begin")
        _ = try await projector.query("select from model.checkpoints for update")
        return projector
    }

    /// Returns when a session waits for a lock.
    private func waitForLock(_ log: LogFixture) async throws {
        try await until("a session waits for a lock") {
            try await log.owner.query(
                "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            ).count > 0
        }
    }

    /// The oid of the schema that readers name.
    private func schema(_ log: LogFixture) async throws -> Int64 {
        try await log.owner.query("select oid::bigint as oid from pg_namespace where nspname = 'seen_v1'").onlyRow()
            .decode("oid")
    }

    @Test func `a swap waits for no reader and makes none wait; the old tables outlive those who read them`()
        async throws
    {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.model])
            try await log.fill(12)
            let reader = try await PostgresConnection.connect(log.database.service, logger: logger)
            _ = try await reader.query("begin")
            _ = try await reader.query("select from seen_v1.seen")
            let before = try await schema(log)
            let rebuilding = Task { try await rebuild(log) }
            let other = try await PostgresConnection.connect(log.database.service, logger: logger)
            // A reader that waited for the long one would wait for ever.
            _ = try await other.query("set lock_timeout = '2s'")
            var counts: [Int] = []
            try await until("the swap", every: .zero) {
                counts.append(try await other.query("select from seen_v1.seen").count)
                return try await schema(log) != before
            }
            // The rows that the long reader holds are to be dropped now, and new readers do not notice.
            for _ in 0..<100 { counts.append(try await other.query("select from seen_v1.seen").count) }
            #expect(Set(counts).isSubset(of: [0, 12]) && counts.last == 12)
            #expect(try await log.owner.query("select from pg_namespace where nspname = 'seen_v1_replaced'").count == 1)
            _ = try await reader.query("commit")
            #expect(try await rebuilding.value == 12)
            #expect(try await log.owner.query("select from pg_namespace where nspname like 'seen_v1_%'").count == 0)
            await reader.close()
            await other.close()
        }
    }

    @Test(.hangs)
    func `beside appends that never pause a rebuild swaps all the same, and what it folds is whole`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.slow])
            try await log.fill(12)
            try await appending(to: log) {
                // On a machine that pauses at times, folding seems too slow for any shorter swap.
                let position = try await rebuild(log, Self.slow, swapTime: .seconds(86_400))
                let seen = try await log.pool.query("select position from seen_v1.seen order by position")
                #expect(try seen.rows.map { try $0.decode("position") } == Array(1...position))
            }
        }
    }

    @Test(.hangs)
    func `a rebuild that would fold too long in its swap gives up, and leaves the model as it was`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.slow])
            try await log.fill(12)
            let before = try await schema(log)
            try await appending(to: log) {
                await #expect(throws: RebuildOutrun.self) { try await rebuild(log, Self.slow, swapTime: .zero) }
            }
            #expect(try await schema(log) == before)
            #expect(try await log.owner.query("select from pg_namespace where nspname = 'seen_v1_rebuild'").count == 0)
            #expect(try await rebuild(log, Self.slow, batch: 1_000) == log.reader.origin().position)
        }
    }

    @Test func `readers of new tables find statistics`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.model])
            try await log.fill(12)
            _ = try await rebuild(log)
            let analysed = try await log.owner.query(
                "select from pg_class where oid = 'seen_v1.seen'::regclass and reltuples >= 10")
            #expect(analysed.count == 1)
        }
    }

    @Test(arguments: [Int64(2), 1_000]) func `a hole stops a rebuild, and the model in use stays`(batch: Int64)
        async throws
    {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.model])
            try await log.fill(5)
            _ = try await rebuild(log)
            _ = try await log.owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await log.owner.query("delete from log.events_from_1 where position = 3")
            let error = await #expect(throws: PostgresTransactionError.self) { try await rebuild(log, batch: batch) }
            #expect((error?.underlying as? PostgresError)?.sqlState?.rawValue == "SKE04")
            #expect(try await log.pool.query("select from seen_v1.seen").count == 5)
        }
    }

    /// As after a dump that was made during a swap: the checkpoint is the old build's, the rows are the new one's, and
    /// the dump's snapshot does not see them.
    @Test func `a model of another build than its checkpoint is made again from the beginning`() async throws {
        try await LogFixture.run { log in
            let installer = ModelInstaller(log.pool)
            try await installer.install([Self.model])
            try await log.fill(5)
            let old: UUID = try await log.pool.query("select id from seen_v1.build").onlyRow().decode("id")
            _ = try await rebuild(log)
            try await installer.install([Self.model])
            #expect(try await log.pool.query("select from seen_v1.seen").count == 5)
            _ = try await log.owner.query("delete from seen_v1.seen")
            _ = try await log.owner.query("update model.checkpoints set build = \(old)")
            try await installer.install([Self.model])
            let position: Int64 = try await log.pool.query("select position from model.checkpoints").onlyRow()
                .decode("position")
            #expect(position == 0)
            #expect(try await rebuild(log) == 5)
        }
    }

    @Test func `a rebuild whose lock is lost does not swap`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.model])
            try await log.fill(5)
            let projector = try await holdingCheckpoint(log)
            let rebuilding = Task { try await rebuild(log) }
            try await waitForLock(log)
            _ = try await log.owner.query(
                "select pg_terminate_backend(pid) from (\(fragment: LogFixture.lockHolders)) h")
            _ = try await projector.query("commit")
            await #expect(throws: (any Error).self) { try await rebuilding.value }
            #expect(try await log.pool.query("select from seen_v1.seen").count == 0)
            await projector.close()
        }
    }

    @Test func `a cancelled rebuild leaves the way free for the next`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.model])
            try await log.fill(5)
            let projector = try await holdingCheckpoint(log)
            try await log.withPool { pool in
                let rebuilding = Task { try await ModelRebuilder(pool, logger: logger).rebuild(Self.model) }
                try await waitForLock(log)
                rebuilding.cancel()
                _ = await rebuilding.result
                _ = try await projector.query("commit")
                // The lock ends with the session, a moment after its connection.
                try await until { try await log.owner.query(LogFixture.lockHolders).count == 0 }
                #expect(try await ModelRebuilder(pool, logger: logger).rebuild(Self.model) == 5)
            }
            await projector.close()
        }
    }
}

extension LogFixture {
    /// A pool for work that takes several connections, beside the one that the test reads through.
    fileprivate func withPool<Value: Sendable>(
        _ body: @Sendable (PostgresPool) async throws -> Value
    ) async throws -> Value {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try await PostgresPool.withPool(database.service, Self.pools, logger: logger) { try await body($0) }
    }

    /// The sessions that hold an advisory lock in this database: those of other tests hold some in others.
    fileprivate static let lockHolders: SQL = """
        select l.pid from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and d.datname = current_database()
        """
}
