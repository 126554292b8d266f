import Logging
import Postgres
import TestSupport
import Testing

@testable import EventLog

/// PostgreSQL may keep a plan without a partition that was attached while the plan was made.
@Suite(.hangs) struct PartitionPlanTests {
    /// A fold that reads the log through a function whose text the planner puts into the statement.
    private static let tally = ReadModel(
        name: "tally", version: 1,
        table: "create table tally (events bigint not null);",
        fold: """
            create or replace function seen(after bigint, upto bigint) returns setof log.events
            language sql stable as $$
                select e.* from log.events e where e.position > after and e.position <= upto
            $$;
            create or replace function fold(after bigint, upto bigint) returns void language plpgsql
            set search_path from current set plan_cache_mode = force_generic_plan as $$
            begin
                insert into tally (events) select count(*) from seen(after, upto);
            end $$;
            """,
        events: ["sample": ["SightingSubmitted"]], digest: ["tally": ["events"]])

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs a test with a connection that has such a plan of the model's fold, and a log of 15 positions, the last
    /// five of them in the new partition.
    private func withOldPlan(_ body: @Sendable (LogFixture, PostgresConnection) async throws -> Void) async throws {
        try await LogFixture.run { log in
            try await log.shrinkPartitions(to: 10)
            try await ModelInstaller(log.pool).install([Self.tally])
            try await log.fill(5)
            let session = try await PostgresConnection.connect(log.database.owner, logger: Self.logger)
            try await log.owner.executeScript(
                "begin; lock table log.events_from_1 in access exclusive mode; select log.add_partitions(2)")
            // The planner has read which partitions there are, and waits for the lock of the first one.
            async let planned = session.query("select tally_v1.fold(0, 0)")
            try await until { try await Self.isWaiting(log) }
            try await log.owner.executeScript("commit")
            _ = try await planned
            try await log.fill(10)
            try await body(log, session)
            await session.close()
        }
    }

    /// Whether a session waits for a lock.
    private static func isWaiting(_ log: LogFixture) async throws -> Bool {
        try await log.pool.query(
            """
            select from pg_locks l join pg_database d on d.oid = l.database
             where d.datname = current_database() and not l.granted
            """
        ).count > 0
    }

    private func folded(_ session: PostgresConnection) async throws -> Int64 {
        try await session.query(
            "select coalesce(sum(events), 0)::bigint as n from tally_v1.tally"
        ).onlyRow().decode("n")
    }

    @Test func `a plan made while a partition was attached folds what is in it`() async throws {
        try await withOldPlan { _, session in
            let step = try await session.query("select outcome, position from model.advance('tally', 1, 100)").onlyRow()
            #expect(try step.decode("outcome", as: String.self) == "advanced")
            #expect(try step.decode("position", as: Int64.self) == 15)
            #expect(try await folded(session) == 15)
        }
    }

    @Test func `a plan made while a partition was attached is not used by an append`() async throws {
        try await withOldPlan { _, session in
            _ = try await session.query("select log.take_head(h.epoch, clock_timestamp()) from log.head h")
            _ = try await session.query("select tally_v1.fold(0, 15)")
            #expect(try await folded(session) == 15)
        }
    }

    /// Otherwise the tests above show nothing, and `log.see_partition` is not needed.
    @Test func `PostgreSQL keeps a plan made while a partition was attached`() async throws {
        try await withOldPlan { _, session in
            _ = try await session.query("select tally_v1.fold(0, 15)")
            #expect(try await folded(session) == 10)
        }
    }
}
