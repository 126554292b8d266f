import EventLog
import Logging
import Postgres
import TestSupport
import Testing

@Suite(.hangs) struct PartitionTests {
    @Test func `are crossed in the middle of a batch, and made when the edge is met`() async throws {
        try await LogFixture.run { log in
            try await log.shrinkPartitions()
            try await log.flood(3_300)
            #expect(try await log.reader.origin().position == 3_300)
            let verification = try await LogVerification.run(log.pool)
            #expect(verification.isSound, "\(verification)")
            let partitions = try await log.pool.query("select count(*) as n from log.partitions").onlyRow()
            #expect(try partitions.decode("n", as: Int64.self) >= 4)
        }
    }

    @Test func `are made for a batch larger than several of them`() async throws {
        try await LogFixture.run { log in
            try await log.shrinkPartitions(to: 50)
            try await log.flood(900)
            #expect(try await log.reader.origin().position == 900)
        }
    }

    @Test func `guard themselves from the moment they are made`() async throws {
        try await LogFixture.run { log in
            try await log.shrinkPartitions()
            try await log.flood(1_100)
            for attack: SQL in [
                "delete from log.events_from_1001", "truncate log.events_from_1001",
                "update log.events_from_1001 set payload = '{}'",
            ] {
                let error = await #expect(throws: PostgresError.self) { try await log.owner.query(attack) }
                #expect(error?.sqlState == "42501")
            }
        }
    }

    @Test func `are kept two ahead by any number of keepers`() async throws {
        try await LogFixture.run { log in
            try await log.shrinkPartitions()
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let keeper = PartitionKeeper(log.pool, logger: logger)
            #expect(try await keeper.empty() == 1)
            try await log.fill(1)
            #expect(try await keeper.empty() == 0)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await keeper.keep() } }
                var made = 0
                for try await count in group { made += count }
                #expect(made == 2)
            }
            #expect(try await keeper.empty() == 2)
        }
    }

    @Test func `do not hide a command's repeat in an older one`() async throws {
        try await LogFixture.run { log in
            try await log.shrinkPartitions(to: 100)
            let command = AppendCommand.sample()
            let first = try await log.appender.append(command)
            try await log.flood(500)
            let change = AppendCommand.sample(stream: command.stream, expected: 1)
            let second = try await log.appender.append(change)
            try await log.flood(300)
            #expect(try await log.appender.append(command).position == first.position)
            #expect(try await log.appender.append(change).position == second.position)
            #expect(try await log.reader.stream(command.stream).count == 2)
        }
    }
}

extension LogFixture {
    /// Replaces the partitions, which are empty and of the usual size, by small ones.
    func shrinkPartitions(to size: Int64 = 1_000) async throws {
        _ = try await owner.query("update log.head set partition_size = \(size)")
        for name in try await owner.query("select name from log.partitions").rows {
            let name: String = try name.decode("name")
            _ = try await owner.query("drop table log.\(identifier: name)")
        }
        _ = try await owner.query("select log.add_partitions(1)")
    }
}
