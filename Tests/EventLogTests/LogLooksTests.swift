import Logging
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct LogLooksTests {
    private static let (busy, idle) = (
        FollowerTests.tally("busy", folding: ["SightingSubmitted", "SightingCorrected"]),
        FollowerTests.tally("idle", folding: ["AccountRegistered"])
    )

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `a model with nothing to fold is moved by a look; something to fold is not passed over`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.busy, Self.idle])
            try await log.fill(3)
            let progress = ModelProgress()
            let looks = LogLooks([Self.busy, Self.idle], pool: log.pool, progress: progress)
            let look = try await looks.next(after: 0, announced: 0)
            #expect(look == LogLooks.Look(after: 0, upTo: 3, head: 3, moved: ["idle"]))
            #expect(progress.position(of: "idle") == 3 && progress.position(of: "busy") == 0)
            #expect(try await positions(log) == ["busy": 0, "idle": 3])
            #expect(try await log.pool.query("select from idle_v1.tally").count == 0)
            try await log.fill(1)
            // The models that are where it began share it.
            #expect(try await looks.next(after: 0, announced: 0) == look)
            #expect(
                try await looks.next(after: 3, announced: 0)
                    == LogLooks.Look(after: 3, upTo: 4, head: 4, moved: ["idle"]))
            // Nothing new.
            let nothing = LogLooks.Look(after: 4, upTo: 4, head: 4, moved: [], checkpoints: ["busy": 0, "idle": 4])
            #expect(try await looks.next(after: 4, announced: 0) == nothing)
        }
    }

    @Test func `a look that finds nothing serves all followers, until more is announced or time has passed`()
        async throws
    {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.busy, Self.idle])
            try await log.fill(2)
            let (lasting, brief) = (looks(log, poll: .seconds(600)), looks(log, poll: .zero))
            for looks in [lasting, brief] { #expect(try await looks.next(after: 2, announced: 0).upTo == 2) }
            try await log.fill(1)
            #expect(try await lasting.next(after: 2, announced: 2).upTo == 2)
            #expect(try await brief.next(after: 2, announced: 2).upTo == 3)
            #expect(try await lasting.next(after: 2, announced: 3).upTo == 3)
        }
    }

    @Test(.hangs) func `a follower that shares a look that found nothing folds what is announced then`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.busy, Self.idle])
            try await log.fill(2)
            let progress = ModelProgress()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for follower in followers(log, progress, poll: .seconds(3_600)) {
                    group.addTask { await follower.run() }
                }
                for count in 1...5 {
                    try await log.flood(1)
                    for model in ["busy", "idle"] {
                        #expect(await progress.wait(for: Int64(2 + count), model: model, atMost: Hang.deadline))
                    }
                }
                group.cancelAll()
            }
        }
    }

    @Test(.hangs) func `a checkpoint that is set back while nothing happens is noticed with the next look`()
        async throws
    {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.busy, Self.idle])
            try await log.fill(2)
            let progress = ModelProgress()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for follower in followers(log, progress) { group.addTask { await follower.run() } }
                for model in ["busy", "idle"] {
                    #expect(await progress.wait(for: 2, model: model, atMost: Hang.deadline))
                }
                try await log.owner.executeScript(
                    "delete from busy_v1.tally; update model.checkpoints set position = 0 where name = 'busy'")
                try await until { try await positions(log) == ["busy": 2, "idle": 2] }
                #expect(try await folded("busy", log) == 2)
                group.cancelAll()
            }
        }
    }

    private func looks(_ log: LogFixture, poll: Duration) -> LogLooks {
        var pace = Follower.Pace()
        pace.poll = poll
        return LogLooks([Self.busy, Self.idle], pool: log.pool, progress: ModelProgress(), pace: pace)
    }

    @Test func `a look moves models from any position that it saw, and no others`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.busy, Self.idle])
            try await log.fill(5)
            for (position, moved) in [(Int64(1), false), (2, true), (4, true), (5, false)] {
                _ = try await log.pool.query("update model.checkpoints set position = \(position) where name = 'idle'")
                let (row, version) = (["idle"], [Int32(1)])
                let found = try await log.pool.query(
                    "select moved from model.look(2, 100, \(row), \(version))"
                ).onlyRow()
                #expect(try found.decode("moved", as: [String].self) == (moved ? row : []), "\(position)")
            }
            _ = try await log.pool.query("update model.checkpoints set position = 0")
            _ = try await log.owner.query("begin")
            _ = try await log.owner.query("select from model.checkpoints where name = 'idle' for update")
            let looks = LogLooks([Self.idle], pool: log.pool, progress: ModelProgress())
            #expect(try await looks.next(after: 0, announced: 0).moved == [])
            _ = try await log.owner.query("rollback")
        }
    }

    @Test func `a look stops at a hole`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.idle])
            try await log.fill(5)
            _ = try await log.owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await log.owner.query("delete from log.events_from_1 where position = 3")
            let looks = LogLooks([Self.idle], pool: log.pool, progress: ModelProgress())
            let error = await #expect(throws: PostgresError.self) { try await looks.next(after: 0, announced: 0) }
            #expect(error?.sqlState?.rawValue == "SKE04")
            #expect(try await positions(log) == ["idle": 0])
        }
    }

    @Test(.hangs) func `followers of several processes fold each event once, whoever looks`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([Self.busy, Self.idle])
            let processes = (0..<2).map { _ in ModelProgress() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for progress in processes {
                    for follower in followers(log, progress) { group.addTask { await follower.run() } }
                }
                try await log.flood(200)
                for progress in processes {
                    for model in ["busy", "idle"] {
                        #expect(await progress.wait(for: 200, model: model, atMost: Hang.deadline))
                    }
                }
                group.cancelAll()
            }
            #expect(try await positions(log) == ["busy": 200, "idle": 200])
            #expect(try await folded("busy", log) == 200)
            // A model is not moved by a look while another one locks its checkpoint; it folds what that leaves.
            #expect(try await folded("idle", log) <= 200)
        }
    }

    /// Both followers of a process, which share their looks.
    private func followers(
        _ log: LogFixture, _ progress: ModelProgress, poll: Duration = .milliseconds(50)
    ) -> [Follower] {
        var pace = Follower.Pace()
        (pace.batch, pace.poll, pace.rest) = (7, poll, .milliseconds(5))
        let looks = LogLooks([Self.busy, Self.idle], pool: log.pool, progress: progress, pace: pace)
        return [Self.busy, Self.idle].map { model in
            Follower(
                model, pool: log.pool, looks: looks, head: log.head, progress: progress, pace: pace, logger: logger)
        }
    }

    /// How many events a model has folded.
    private func folded(_ name: String, _ log: LogFixture) async throws -> Int64 {
        let table = "\(name)_v1"
        return try await log.pool.query(
            "select coalesce(sum(events), 0)::bigint as n from \(identifier: table).tally"
        ).onlyRow().decode("n")
    }

    private func positions(_ log: LogFixture) async throws -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: try await Checkpoint.all(log.pool).map { ($0.name, $0.position) })
    }
}
