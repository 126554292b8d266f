import EventLog
import FoundationEssentials
import Postgres
import Testing

struct JudgementTests {
    @Test func `found, another request's, stale, reserved by another stream, or accepted and numbered in their order`()
        async throws
    {
        try await LogFixture.run { log in
            let (stream, command) = (UUID(), UUID())
            _ = try await log.appender.append(.sample(stream: stream, id: command, fingerprint: 7))
            let (same, other) = ([UInt8](repeating: 7, count: 16), [UInt8](repeating: 8, count: 16))
            let streams = [stream, stream, stream, UUID(), UUID(), UUID()]
            let commands = [command, command, UUID(), UUID(), UUID(), UUID()]
            let (expected, events): ([Int32], [Int32]) = ([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 2, 1])
            let judged = try await log.owner.query(
                """
                select concat_ws(' ', j.outcome, j.base, j.version, j.position, j.stream_version) as said
                  from log.judged(\(streams), \(expected), \(commands), \([same, other, same, same, same, same]),
                                  \(events), \([Int32(4)]), 1, now()) j
                 order by j.ord
                """)
            #expect(
                try judged.rows.map { try $0.decode("said", as: String.self) }
                    == ["1 0 1 1 1", "2 0 1 1 1", "3 0 0 0 1", "4 0 0 0 0", "0 1 2 3 0", "0 3 1 4 0"])
        }
    }

    @Test func `taking the head returns the last position, and rejects another epoch and a clock that jumped`()
        async throws
    {
        try await LogFixture.run { log in
            func take(_ arguments: SQL) async throws -> Int64 {
                try await log.owner.query("select last from log.take_head(\(fragment: arguments))")
                    .onlyRow().decode("last")
            }
            #expect(try await take("1, now()") == 0)
            try await log.fill(2)
            #expect(try await take("1, now()") == 2)
            for (arguments, state) in [("2, now()", "SKE01"), ("1, now() - interval '1 hour'", "SKE02")] {
                let error = await #expect(throws: PostgresError.self) { _ = try await take(SQL(unsafeText: arguments)) }
                #expect(error?.sqlState?.rawValue == state)
            }
        }
    }
}
