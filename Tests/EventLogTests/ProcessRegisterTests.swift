import FoundationEssentials
import Logging
import Postgres
import TestSupport
import Testing

@testable import EventLog

struct ProcessRegisterTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func model(_ version: Int) -> ReadModel {
        ReadModel(
            name: "tally", version: version, table: "create table tally (n bigint)",
            fold: """
                create or replace function fold(after bigint, upto bigint) returns void language sql as 'select';
                """,
            digest: ["tally": ["n"]])
    }

    private func register(_ log: LogFixture, _ versions: Int...) -> ProcessRegister {
        ProcessRegister("host/1", following: versions.map(model), pool: log.pool, logger: logger)
    }

    private func versions(_ log: LogFixture) async throws -> [Int] { try await Checkpoint.all(log.pool).map(\.version) }

    @Test func `a version is dropped an hour after its last process was seen`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([model(1), model(2)])
            let (old, new) = (register(log, 1), register(log, 2))
            _ = try await old.beat()
            #expect(try await !new.beat())
            for minute in stride(from: 4, through: 56, by: 4) {
                try await log.set(clock: Double(minute) * 60)
                #expect(try await new.beat())
                #expect(try await new.prune() == [])
            }
            try await log.set(clock: 60 * 60)
            #expect(try await new.beat())
            #expect(try await new.prune() == ["tally_v1"])
            #expect(try await versions(log) == [2])
            #expect(try await log.pool.query("select from pg_namespace where nspname like 'tally_v%'").count == 1)
            #expect(try await ListedProcess.all(log.pool).map(\.models) == [["tally_v2"]])
        }
    }

    @Test func `one that has just been installed is left alone`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([model(1)])
            let process = register(log, 1)
            _ = try await process.beat()
            try await ModelInstaller(log.pool).install([model(2)])
            #expect(try await process.beat())
            #expect(try await process.prune() == [])
        }
    }

    @Test func `after a jump of the clock others have time to be seen again`() async throws {
        try await LogFixture.run { log in
            try await ModelInstaller(log.pool).install([model(1), model(2)])
            let (old, new) = (register(log, 1), register(log, 2))
            _ = try await (old.beat(), new.beat())
            try await log.set(clock: 86_400)
            #expect(try await !new.beat())
            #expect(try await !old.beat())
            #expect(try await new.beat())
            #expect(try await new.prune() == [])
        }
    }
}
