import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct FollowerTests {
    /// Counts the events of every stream; rejects the payload `{"poison": true}`.
    /// - Parameter types: those of the events that it is said to fold; nil: all.
    static func tally(
        _ name: String = "tally", _ version: Int = 1,
        table: String = "create table tally (stream uuid, events bigint)", folding types: Set<String>? = nil
    ) -> ReadModel {
        ReadModel(
            name: name, version: version, table: table + "; create unique index on tally (stream);",
            fold: """
                create or replace function fold(after bigint, upto bigint) returns void language plpgsql
                set search_path from current as $$
                begin
                    perform 1 / (case when payload::jsonb ? 'poison' then 0 else 1 end)
                       from log.events where position > after and position <= upto;
                    insert into tally select stream, count(*) from log.events
                     where position > after and position <= upto group by stream
                    on conflict (stream) do update set events = tally.events + excluded.events;
                end $$;
                """,
            events: types.map { ["sample": $0] } ?? [:],
            digest: ["tally": ["stream", "events"]])
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func follower(_ log: LogFixture, _ progress: ModelProgress, batch: Int64 = 7) -> Follower {
        var pace = Follower.Pace()
        pace.batch = batch
        pace.poll = .milliseconds(50)
        return Follower(
            Self.tally(), pool: log.pool, head: log.head, progress: progress, pace: pace, logger: logger)
    }

    @Test func `live, in batches of any size, and rebuilt: the same rows`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            let progress = ModelProgress()
            let follower = follower(log, progress)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await follower.run() }
                try await log.flood(200)
                #expect(await progress.wait(for: 200, model: "tally", atMost: Hang.deadline))
                group.cancelAll()
            }
            try await assertRebuildsEqual(Self.tally(), log.pool)
            let followed = try await ModelDigest.of(Self.tally(), log.pool)
            #expect(try await ModelRebuilder(log.pool, logger: logger).rebuild(Self.tally(), batch: 30) == 200)
            #expect(try await ModelDigest.of(Self.tally(), log.pool) == followed)
            try await log.fill(3)
            try await follower.catchUp()
            #expect(progress.position(of: "tally") == 203)
        }
    }

    @Test func `a model is rebuilt by one process at a time`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(3)
            _ = try await log.owner.query("select pg_advisory_lock(hashtextextended('rebuild tally_v1', 0))")
            let rebuilder = ModelRebuilder(log.pool, logger: logger)
            await #expect(throws: RebuildUnderWay(model: "tally_v1")) { try await rebuilder.rebuild(Self.tally()) }
            _ = try await log.owner.query("select pg_advisory_unlock_all()")
            #expect(try await rebuilder.rebuild(Self.tally()) == 3)
            #expect(try await rebuilder.rebuild(Self.tally()) == 3)
        }
    }

    @Test(.hangs) func `a rebuild that is cancelled keeps no lock`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(3)
            _ = try await log.owner.query("begin")
            _ = try await log.owner.query("select from model.checkpoints for update")
            let rebuild = Task { try await ModelRebuilder(log.pool, logger: logger).rebuild(Self.tally()) }
            func locks(_ condition: SQL) async throws -> Int {
                // Within a transaction, the sessions would stay those that were first seen.
                _ = try await log.owner.query("select pg_stat_clear_snapshot()")
                return try await log.owner.query(
                    """
                    select from pg_locks join pg_stat_activity using (pid)
                     where datname = current_database() and \(fragment: condition)
                    """
                ).count
            }
            try await until { try await locks("not granted") > 0 }
            #expect(try await locks("locktype = 'advisory'") == 1)
            rebuild.cancel()
            await #expect(throws: (any Error).self) { try await rebuild.value }
            _ = try await log.owner.query("rollback")
            try await until { try await locks("locktype = 'advisory'") == 0 }
            #expect(try await ModelRebuilder(log.pool, logger: logger).rebuild(Self.tally()) == 3)
        }
    }

    @Test func `any number of followers of one model do each step once`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.flood(300)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    let follower = follower(log, ModelProgress(), batch: 5)
                    group.addTask { try await follower.catchUp() }
                }
                try await group.waitForAll()
            }
            let total = try await log.pool.query("select sum(events)::bigint as n from tally_v1.tally").onlyRow()
            #expect(try total.decode("n", as: Int64.self) == 300)
        }
    }

    @Test func `a fold that fails leaves rows and checkpoint alone, is named, and never skips`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(3)
            _ = try await log.appender.append(.sample(payloads: [#"{"poison": true}"#]))
            let progress = ModelProgress()
            let follower = follower(log, progress, batch: 3)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await follower.run() }
                var failed: Checkpoint?
                try await until {
                    failed = try await Checkpoint.all(log.pool).first
                    return failed?.failure != nil && progress.fault(of: "tally") == .failing
                }
                #expect(failed?.position == 3)
                #expect(failed?.failure?.sqlState == "22012")
                group.cancelAll()
            }
            _ = try await Redaction.redact(position: 4, reason: "legal", log.owner)
            try await follower.catchUp()
            let checkpoint = try #require(try await Checkpoint.all(log.pool).first)
            #expect(checkpoint.position == 5 && checkpoint.failure == nil)
        }
    }

    @Test func `a failure that has passed is cleared at an idle head`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(3)
            let follower = follower(log, ModelProgress())
            try await follower.catchUp()
            let passing = PostgresError(.poolTimeout, "no connection was free")
            try await Checkpoint.fail(Self.tally(), at: 3, passing, log.pool)
            #expect(try await Checkpoint.all(log.pool).first?.failure?.count == 1)
            #expect(try await follower.advance().outcome == .current)
            #expect(try await Checkpoint.all(log.pool).first?.failure == nil)
            let version = try await checkpointVersion(log)
            #expect(try await follower.advance().outcome == .current)
            #expect(try await checkpointVersion(log) == version)
        }
    }

    /// Where the row of the checkpoint is: another place after an update.
    private func checkpointVersion(_ log: LogFixture) async throws -> String {
        try await log.pool.query("select ctid::text as place from model.checkpoints").onlyRow().decode("place")
    }

    @Test func `a failure at a position that another process has passed is not recorded`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(3)
            try await follower(log, ModelProgress()).catchUp()
            try await Checkpoint.fail(Self.tally(), at: 2, PostgresError(.timeout, "too slow"), log.pool)
            #expect(try await Checkpoint.all(log.pool).first?.failure == nil)
        }
    }

    @Test func `readers hear of a fault until the model moves on`() {
        let progress = ModelProgress()
        progress.reached(3, model: "tally")
        progress.fail("tally", .failing)
        #expect(progress.fault(of: "tally") == .failing)
        progress.reached(3, model: "tally")
        #expect(progress.fault(of: "tally") == nil)
    }

    @Test func `an announced position that the log has lost does not keep a follower busy`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(3)
            let (progress, head) = (ModelProgress(), HeadSignal())
            head.announce(1_000)
            let follower = Follower(Self.tally(), pool: log.pool, head: head, progress: progress, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await follower.run() }
                #expect(await progress.wait(for: 3, model: "tally", atMost: Hang.deadline))
                try await until { head.position == 3 }
                group.cancelAll()
            }
            head.announce(1_000)
            var feed = LogFeed(log.reader, after: 0, head: head).makeAsyncIterator()
            for position in 1...3 { #expect(try await feed.next()?.position == Int64(position)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [feed] in
                    var feed = feed
                    _ = try await feed.next()
                }
                try await until { head.position == 3 }
                group.cancelAll()
                try? await group.waitForAll()
            }
        }
    }

    @Test func `a position announced meanwhile is not lowered`() {
        let head = HeadSignal()
        head.announce(10)
        head.correct(9, to: 3)
        #expect(head.position == 10)
        head.correct(10, to: 3)
        #expect(head.position == 3)
    }

    @Test func `a model changed without a new version is rejected; a new version is beside the old`() async throws {
        try await LogFixture.run { log in
            let installer = ModelInstaller(log.pool)
            try await installer.install([Self.tally()])
            try await installer.install([Self.tally()])
            let changed = "create table tally (stream uuid, events bigint, extra int)"
            await #expect(throws: ModelDrift.self) { try await installer.install([Self.tally(table: changed)]) }
            try await installer.install([Self.tally("tally", 2, table: changed)])
            #expect(try await Checkpoint.all(log.pool).map(\.version) == [1, 2])
        }
    }

    @Test func `a hole stops a follower at once`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(5)
            _ = try await log.owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await log.owner.query("delete from log.events_from_1 where position = 3")
            let error = await #expect(throws: PostgresError.self) {
                try await follower(log, ModelProgress()).catchUp()
            }
            #expect(error?.sqlState?.rawValue == "SKE04")
            for batch in [2, 100] {
                await #expect(throws: (any Error).self) {
                    try await ModelRebuilder(log.pool, logger: logger).rebuild(Self.tally(), batch: Int64(batch))
                }
            }
            await #expect(throws: LogHole(position: 3)) { try await log.reader.page(after: 0, limit: 9) }
            let verification = try await LogVerification.run(log.pool)
            #expect(verification.checks.filter { $0.broken > 0 }.count >= 2)
        }
    }

    @Test func `a follower that found the checkpoint locked looks again as soon as anyone waits`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.tally()])
            try await log.fill(2)
            try await follower(log, ModelProgress()).catchUp()
            try await log.fill(1)
            try await log.owner.executeScript("begin; select from model.checkpoints for update")
            let progress = ModelProgress()
            var pace = Follower.Pace()
            pace.poll = .seconds(600)
            let follower = Follower(
                Self.tally(), pool: log.pool, head: log.head, progress: progress, pace: pace, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await follower.run() }
                try await until { progress.position(of: "tally") == 2 }
                async let reached = progress.wait(for: 3, model: "tally", atMost: Hang.deadline)
                try await until { progress.isAwaited("tally") }
                try await log.owner.executeScript("commit")
                #expect(await reached)
                group.cancelAll()
            }
        }
    }

    @Test func `a stream with a missing version is not read`() async throws {
        try await LogFixture.run { log in
            let stream = UUID()
            _ = try await log.appender.append(.sample(stream: stream, payloads: ["{}", "{}", "{}"]))
            #expect(try await log.reader.stream(stream, after: 1).count == 2)
            _ = try await log.owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await log.owner.query("delete from log.events_from_1 where version = 2")
            await #expect(throws: StreamHole(stream: stream, version: 2)) { try await log.reader.stream(stream) }
            #expect(try await log.reader.stream(stream, after: 2).count == 1)
        }
    }

    @Test func `a wait for a position ends in time, with or without it`() async throws {
        let progress = ModelProgress()
        #expect(await !progress.wait(for: 5, model: "tally", atMost: .milliseconds(10)))
        async let reached = progress.wait(for: 5, model: "tally", atMost: Hang.deadline)
        try await until { progress.isAwaited("tally") }
        progress.reached(4, model: "tally")
        progress.reached(5, model: "tally")
        #expect(await reached)
        #expect(!progress.isAwaited("tally"))
    }
}
