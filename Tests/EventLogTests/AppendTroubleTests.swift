import EventLog
import FoundationEssentials
import Glibc
import Postgres
import Testing

/// Appends that the database does not take, or does not answer.
@Suite(.timeLimit(.minutes(2))) struct AppendTroubleTests {
    /// Has every insertion into the log run PL/pgSQL first, which counts itself as `call`, from 1.
    private func meddle(_ log: LogFixture, _ body: String) async throws {
        try await log.owner.executeScript(
            """
            create sequence public.calls;
            create function public.meddle() returns trigger language plpgsql as $$
            declare call bigint := nextval('public.calls');
            begin \(body) return new; end $$;
            create trigger meddle before insert on log.events for each row execute function public.meddle();
            """)
    }

    private func stopMeddling(_ log: LogFixture) async throws {
        try await log.owner.query("drop trigger meddle on log.events")
    }

    /// The outcome of an append, as a word.
    private func outcome(of command: AppendCommand = .sample(), _ log: LogFixture) async -> String {
        do throws(AppendError) {
            _ = try await log.appender.append(command)
            return "appended"
        } catch {
            switch error {
            case .unavailable: return "unavailable"
            case .unknownOutcome: return "unknown"
            case .refused: return "rejected"
            default: return "\(error)"
            }
        }
    }

    @Test(arguments: ["53100", "42883", "42501", "XX000", "55000", "40001"])
    func `what may pass is retried, then is a definite no, and nothing is bisected`(state: String) async throws {
        try await LogFixture.run(limits: AppendLimits { $0.timeout = .seconds(1) }) { log in
            try await meddle(log, "raise exception 'not now' using errcode = '\(state)';")
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { await outcome(log) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: "unavailable", count: 20))
            #expect(log.appender.statistics.refusedBatches == 0)
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
            #expect(await outcome(of: command, log) == "rejected")
            #expect(try await good.position == 1)
        }
    }

    @Test func `a batch that takes longer than the server allows goes in halves`() async throws {
        try await LogFixture.run(deadline: .seconds(1)) { log in
            try await meddle(log, "perform pg_sleep(0.02);")
            try await log.flood(80)
            #expect(try await log.reader.origin().position == 80)
            #expect(log.appender.statistics.retriedBatches > 0)
        }
    }

    @Test func `where the next partition is missing for another reason, it gives up in time`() async throws {
        try await LogFixture.run(limits: AppendLimits { $0.timeout = .milliseconds(400) }) { log in
            let partitions = try await log.owner.query("select name from log.partitions order by lower_bound")
            let first: String = try #require(try partitions.first?.decode("name"))
            try await log.owner.query("drop table log.\(identifier: first)")
            #expect(await outcome(log) == "unavailable")
            #expect(log.appender.statistics.retriedBatches < 20)
        }
    }

    @Test func `any answer ends the trouble: a later single failure gives nothing up`() async throws {
        try await LogFixture.run(limits: AppendLimits { $0.timeout = .milliseconds(400) }) { log in
            try await meddle(
                log,
                """
                if call in (1, 3) then raise exception 'not now' using errcode = '53100'; end if;
                if call = 2 then raise exception 'no' using errcode = '22000'; end if;
                """)
            #expect(await outcome(log) == "rejected")
            try await log.owner.query("select pg_sleep(0.5)")
            #expect(try await log.appender.append(.sample()).position == 1)
        }
    }

    @Test func `a frozen backend that holds the head: every writer is answered in time, and the appender recovers`()
        async throws
    {
        let limits = AppendLimits { ($0.timeout, $0.batchCommands) = (.seconds(2), 1) }
        try await LogFixture.run(limits: limits, deadline: .seconds(1)) { log in
            try await meddle(log, "perform pg_sleep(0.5);")
            let commands = (0..<20).map { _ in AppendCommand.sample() }
            let start = ContinuousClock.now
            async let first = outcome(of: commands[0], log)
            let backend = try await frozenBackend(log)
            let others = await withTaskGroup(of: String.self) { group in
                for command in commands[1...] { group.addTask { await outcome(of: command, log) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(await first == "unknown")
            #expect(others == Array(repeating: "unavailable", count: 19))
            #expect(start.duration(to: .now) < .seconds(4))
            kill(backend, SIGCONT)
            for command in commands[..<2] { _ = try await log.appender.append(command) }
            #expect(try await log.reader.origin().position == 2)
        }
    }

    @Test func `trouble that begins behind a slow call does not add to the time of those who waited for it`()
        async throws
    {
        let limits = AppendLimits { ($0.timeout, $0.batchCommands) = (.seconds(4), 1) }
        try await LogFixture.run(limits: limits) { log in
            try await meddle(
                log,
                """
                if call = 1 then perform pg_sleep(3); end if;
                if call > 1 then raise exception 'not now' using errcode = '53100'; end if;
                """)
            async let first = outcome(log)
            while log.appender.depth == 0 { await Task.yield() }
            let start = ContinuousClock.now
            #expect(await outcome(log) == "unavailable")
            // Three seconds for the first call, and four of trouble, would be seven.
            #expect(start.duration(to: .now) < .seconds(6))
            #expect(await first == "appended")
        }
    }

    /// Waits until an append is under way, and stops its server process.
    private func frozenBackend(_ log: LogFixture) async throws -> Int32 {
        while true {
            let result = try await log.owner.query(
                """
                select pid from pg_stat_activity
                 where datname = current_database() and wait_event = 'PgSleep' and query like '%log.append%'
                """)
            if let pid: Int32 = try result.first?.decode("pid") {
                kill(pid, SIGSTOP)
                return pid
            }
        }
    }
}
