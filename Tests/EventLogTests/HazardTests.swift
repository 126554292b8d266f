import EventLog
import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

struct HazardTests {
    @Test func `on a never-analysed schema an append reads no table from end to end`() async throws {
        try await LogFixture.run { log in
            _ = try await log.owner.query("alter table log.streams set (autovacuum_enabled = off)")
            _ = try await log.owner.query("alter table log.events_from_1 set (autovacuum_enabled = off)")
            let streams = (0..<6_000).map { _ in UUID() }
            try await append(streams, expected: 0, log)
            let before = try await rowsScanned(log)
            try await append(Array(streams.prefix(300)), expected: 1, log)
            #expect(try await rowsScanned(log) == before)
        }
    }

    @Test func `a plan made for a small, analysed table does not read a large one from end to end`() async throws {
        try await LogFixture.run { log in
            _ = try await log.owner.query("alter table log.streams set (autovacuum_enabled = off)")
            _ = try await log.owner.query("alter table log.events_from_1 set (autovacuum_enabled = off)")
            try await append((0..<60).map { _ in UUID() }, expected: 0, log)
            _ = try await log.owner.query("analyze log.streams, log.events")
            let before = try await rowsScanned(log)
            // One connection, whose plans are made while reading a table from end to end is the cheapest.
            try await append((0..<10_000).map { _ in UUID() }, expected: 0, log)
            #expect(try await rowsScanned(log) == before)
        }
    }

    /// One event to each stream, all at once, over a connection of its own.
    private func append(_ streams: [UUID], expected: Int, _ log: LogFixture) async throws {
        try await log.withRival { rival in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for stream in streams {
                    group.addTask { _ = try await rival.append(.sample(stream: stream, expected: expected)) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Rows read by sequential scans of the log's tables so far. A backend is sure to have reported them when it is
    /// gone.
    private func rowsScanned(_ log: LogFixture) async throws -> Int64 {
        try await until("the rival's backend is gone") {
            try await log.owner.query(
                """
                select from pg_stat_activity
                 where datname = current_database() and query like '%log.append%' and pid <> pg_backend_pid()
                """
            ).count == 0
        }
        return try await log.owner.query(
            """
            select coalesce(sum(seq_tup_read), 0)::bigint as read from pg_stat_user_tables
             where schemaname = 'log' and relname <> 'head'
            """
        ).onlyRow().decode("read")
    }

    @Test func `a long open transaction leaves the head row without dead versions`() async throws {
        try await LogFixture.run { log in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let bystander = try await PostgresConnection.connect(log.database.owner, logger: logger)
            _ = try await bystander.query("begin isolation level repeatable read")
            _ = try await bystander.query("select count(*) from log.events")
            try await log.flood(2_000)
            let versions = try await log.owner.query("select ctid::text as place, xmin::text as made from log.head")
                .onlyRow()
            #expect(try versions.decode("place", as: String.self) == "(0,1)")
            _ = try await bystander.query("commit")
            await bystander.close()
        }
    }

    @Test func `a position is announced only after its commit`() async throws {
        try await LogFixture.run { log in
            try await log.fill(1)
            _ = try await log.owner.query("begin")
            _ = try await log.owner.query("select from log.head for update")
            async let receipt = log.appender.append(.sample())
            try await until("the append waits") {
                try await log.pool.query(
                    """
                    select from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock' and query like '%log.append%'
                    """
                ).count > 0
            }
            #expect(log.head.position == 1)
            _ = try await log.owner.query("commit")
            #expect(try await receipt.position == 2)
            #expect(log.head.position == 2)
        }
    }

    @Test func `an append says nothing on a channel; positions travel by a notifier of their own`() async throws {
        try await LogFixture.run { log in
            let source = try await log.owner.query(
                """
                select pg_get_functiondef(oid) as text
                  from pg_proc
                 where proname = 'append' and pronamespace = 'log'::regnamespace
                """
            ).onlyRow().decode("text", as: String.self)
            #expect(!source.lowercased().contains("notify"))

            try await log.fill(1)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let (appended, heard) = (HeadSignal(), HeadSignal())
            let teller = LogNotifier(
                configuration: log.database.service, pool: log.pool, appended: appended, head: HeadSignal(),
                logger: logger)
            let hearer = LogNotifier(
                configuration: log.database.service, pool: log.pool, appended: HeadSignal(), head: heard, logger: logger
            )
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await teller.run() }
                group.addTask { await hearer.run() }
                // Hints may be missed while the listener is still connecting: repeat them.
                group.addTask {
                    for position in Int64(1_000)... {
                        appended.announce(position)
                        try await Task.sleep(for: .milliseconds(25))
                    }
                }
                await heard.wait(beyond: 0)
                group.cancelAll()
            }
            // A notification only makes the listener look, because any client may send one.
            #expect(heard.position == 1)
        }
    }

    @Test func `a commit is asked for durably`() async throws {
        try await LogFixture.run { log in
            let setting = try await log.pool.query("show synchronous_commit").onlyRow().decode(0, as: String.self)
            #expect(setting == "on")
        }
    }
}
