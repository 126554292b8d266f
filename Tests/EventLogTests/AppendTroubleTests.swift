import EventLog
import FoundationEssentials
import Glibc
import Logging
import Postgres
import TestSupport
import Testing

/// Appends that the database does not take, or does not answer.
///
/// Where an appender gives up, its time is so long that a database that pauses for two seconds changes nothing: it
/// begins nothing in the last quarter of it.
@Suite(.hangs) struct AppendTroubleTests {
    private static let passing = ["53100", "42883", "42501", "XX000", "55000", "40001"]

    /// Has every insertion into the log run PL/pgSQL first, which counts itself as `call`, from 1.
    private func meddle(_ log: LogFixture, _ body: String) async throws {
        try await log.owner.executeScript(
            """
            create sequence public.calls;
            create function public.meddle() returns trigger language plpgsql security definer as $$
            declare call bigint := nextval('public.calls');
            begin \(body) return new; end $$;
            create trigger meddle before insert on log.events for each row execute function public.meddle();
            """)
    }

    private func stopMeddling(_ log: LogFixture) async throws {
        try await log.owner.query("drop trigger meddle on log.events")
    }

    /// The outcome of an append, as a word.
    private func outcome(of command: AppendCommand = .sample(), _ appender: Appender) async -> String {
        do throws(AppendError) {
            _ = try await appender.append(command)
            return "appended"
        } catch {
            switch error {
            case .unavailable: return "unavailable"
            case .unknownOutcome: return "unknown"
            case .rejected: return "rejected"
            default: return "\(error)"
            }
        }
    }

    private func outcomes(_ count: Int, _ appender: Appender) async -> [String] {
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { await outcome(appender) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Runs something with an appender that has sent nothing yet, and that sends once it has so many commands.
    private func sending<Value: Sendable>(
        _ count: Int, limits: AppendLimits = LogFixture.unhurried, deadline: Duration, _ log: LogFixture,
        _ body: @Sendable (Appender) async throws -> Value
    ) async throws -> Value {
        var service = log.database.service
        service.statementDeadline = deadline
        let appender = Appender(
            configuration: service, limits: limits, head: HeadSignal(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await until { appender.depth == count }
                await appender.run()
            }
            defer { appender.close() }
            return try await body(appender)
        }
    }

    @Test(arguments: passing)
    func `what may pass is sent again until it has passed, and nothing is bisected`(state: String) async throws {
        try await LogFixture.run { log in
            try await meddle(log, "raise exception 'not now' using errcode = '\(state)';")
            async let answers = outcomes(20, log.appender)
            try await until { log.appender.statistics.retriedBatches > 1 }
            try await stopMeddling(log)
            #expect(await answers == Array(repeating: "appended", count: 20))
            #expect(log.appender.statistics.rejectedBatches == 0)
        }
    }

    @Test func `what does not pass is a definite no in the end`() async throws {
        try await LogFixture.run(limits: AppendLimits { $0.timeout = .seconds(8) }) { log in
            let states = Self.passing.joined(separator: ",")
            let state = "split_part('\(states)', ',', 1 + (call % \(Self.passing.count))::int)"
            try await meddle(log, "raise exception 'not now' using errcode = \(state);")
            #expect(await outcomes(20, log.appender) == Array(repeating: "unavailable", count: 20))
            #expect(log.appender.statistics.rejectedBatches == 0)
            #expect(log.appender.statistics.retriedBatches > 1)
            try await stopMeddling(log)
            #expect(try await log.appender.append(.sample()).position == 1)
        }
    }

    @Test(arguments: ["22P02", "23505"])
    func `only what is wrong with the data is poison`(state: String) async throws {
        try await LogFixture.run { log in
            try await meddle(log, "if new.type = 'X' then raise exception 'no' using errcode = '\(state)'; end if;")
            var poison = AppendCommand.sample()
            poison.events[0].type = "X"
            let command = poison
            async let good = log.appender.append(.sample())
            #expect(await outcome(of: command, log.appender) == "rejected")
            #expect(try await good.position == 1)
        }
    }

    @Test func `a batch that takes longer than the server allows goes in halves`() async throws {
        try await LogFixture.run { log in
            try await meddle(log, "perform pg_sleep(0.02);")
            // In one batch, which takes twice the 0.8 seconds that the server allows.
            let retries = try await sending(80, deadline: .seconds(1), log) { appender in
                #expect(await outcomes(80, appender) == Array(repeating: "appended", count: 80))
                return appender.statistics.retriedBatches
            }
            #expect(try await log.reader.origin().position == 80)
            #expect(retries > 0)
        }
    }

    @Test func `where the next partition is missing for another reason, it gives up in time`() async throws {
        try await LogFixture.run(limits: AppendLimits { $0.timeout = .seconds(8) }) { log in
            let partitions = try await log.owner.query("select name from log.partitions order by lower_bound")
            let first: String = try #require(try partitions.first?.decode("name"))
            try await log.owner.query("drop table log.\(identifier: first)")
            #expect(await outcome(log.appender) == "unavailable")
            // Without growing pauses there would be thousands.
            #expect(log.appender.statistics.retriedBatches < 20)
        }
    }

    @Test func `any answer ends the trouble: a later single failure gives nothing up`() async throws {
        try await LogFixture.run(limits: AppendLimits { $0.timeout = .seconds(3) }) { log in
            try await meddle(
                log,
                """
                if call in (1, 3) then raise exception 'not now' using errcode = '53100'; end if;
                if call = 2 then raise exception 'no' using errcode = '22000'; end if;
                """)
            #expect(await outcome(log.appender) == "rejected")
            // Longer than the time for which appending may fail.
            try await log.owner.query("select pg_sleep(3.2)")
            #expect(try await log.appender.append(.sample()).position == 1)
        }
    }

    @Test func `a frozen backend that holds the head: every writer is answered in time, and the appender recovers`()
        async throws
    {
        let limits = AppendLimits { ($0.timeout, $0.batchCommands) = (.seconds(4), 1) }
        try await LogFixture.run { log in
            try await freezeFirstAppend(log)
            try await sending(20, limits: limits, deadline: .seconds(2), log) { appender in
                let commands = (0..<2).map { _ in AppendCommand.sample() }
                async let first = outcome(of: commands[0], appender)
                // On every path: while a backend is frozen, no other test can drop its database.
                do { try await until { appender.depth == 1 } } catch {
                    try await thaw(log)
                    throw error
                }
                let start = ContinuousClock.now
                let others = await outcomes(19, appender)
                #expect(await first == "unknown")
                // Those that waited for their own turn to fail would take more than a minute.
                #expect(start.duration(to: .now) < .seconds(20))
                try await thaw(log)
                #expect(others == Array(repeating: "unavailable", count: 19))
                for command in commands {
                    try await until { await outcome(of: command, appender) == "appended" }
                }
            }
            #expect(try await log.reader.origin().position == 2)
        }
    }

    /// Has the server process of the first append stop, as if it had hung, when it has taken the head.
    private func freezeFirstAppend(_ log: LogFixture) async throws {
        try await meddle(log, "if call = 1 then copy (select 1 where false) to program 'kill -STOP $PPID'; end if;")
    }

    /// Lets the server processes of the log's database go on that have stopped.
    private func thaw(_ log: LogFixture) async throws {
        let found = try await log.owner.query("select pid from pg_stat_activity where datname = current_database()")
        for row in found.rows { kill(try row.decode("pid", as: Int32.self), SIGCONT) }
    }

    @Test func `trouble that begins behind a slow call does not add to the time of those who waited for it`()
        async throws
    {
        let limits = AppendLimits { ($0.timeout, $0.batchCommands) = (.seconds(12), 1) }
        try await LogFixture.run(limits: limits) { log in
            try await meddle(
                log,
                """
                if call = 1 then perform pg_sleep(10); end if;
                if call > 1 then raise exception 'not now' using errcode = '53100'; end if;
                """)
            async let first = outcome(log.appender)
            try await until { log.appender.depth > 0 }
            let start = ContinuousClock.now
            let second = await outcome(log.appender)
            // Ten seconds for the first call, and at least seven of trouble, would be seventeen.
            #expect(start.duration(to: .now) < .seconds(16.5))
            // Its call may be under way at that moment.
            #expect(["unavailable", "unknown"].contains(second))
            #expect(await first == "appended")
            #expect(try await log.reader.origin().position == 1)
        }
    }
}
