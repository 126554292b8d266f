import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct CopyTests {
    @Test func `text comes out in whole lines`() async throws {
        try await withConnection { connection in
            var text = ""
            for try await chunk in try await connection.copyOut("COPY (SELECT generate_series(1, 50000)) TO STDOUT") {
                #expect(chunk.last == UInt8(ascii: "\n"))
                text += String(decoding: chunk, as: UTF8.self)
            }
            #expect(text == (1...50_000).map { "\($0)\n" }.joined())
            try await expectAnswer(from: connection)
        }
    }

    @Test func `binary goes out and in`() async throws {
        try await withConnection { connection in
            try await connection.query(
                "CREATE TEMP TABLE a AS SELECT g AS id, repeat('x', g % 100) AS t FROM generate_series(1, 5000) g")
            try await connection.query("CREATE TEMP TABLE b (LIKE a)")
            var bytes: [UInt8] = []
            for try await chunk in try await connection.copyOut("COPY a TO STDOUT (FORMAT binary)") { bytes += chunk }
            #expect(bytes.starts(with: Array("PGCOPY\n".utf8)))
            let data = bytes
            let count = try await connection.copyIn("COPY b FROM STDIN (FORMAT binary)") { writer in
                for start in stride(from: 0, to: data.count, by: 1000) {
                    try await writer.write(Array(data[start..<min(start + 1000, data.count)]))
                }
            }
            #expect(count == 5000)
            let left = try await connection.query("SELECT count(*) AS n FROM (TABLE a EXCEPT TABLE b) d").first
            #expect(try left?.decode("n", as: Int.self) == 0)
        }
    }

    @Test func `a large copy in arrives whole`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int, filler text)")
            let filler = String(repeating: "f", count: 1000)
            let lines = (1...20_000).map { "\($0)\t\(filler)\n" }.joined()
            let count = try await connection.copyIn("COPY t FROM STDIN") { writer in
                try await writer.write(lines)  // 20 MB at once
                try await writer.write([])
                try await writer.write("20001\tlast\n")
            }
            #expect(count == 20_001)
            let sum = try await connection.query("SELECT sum(id)::int8 AS n FROM t").first
            #expect(try sum?.decode("n", as: Int.self) == 20_001 * 20_002 / 2)
        }
    }

    /// Writer and socket take turns; a missed wake-up shows as a test that never ends.
    @Test func `writes of every size get through`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (filler text)")
            for size in [1, 60_000, 70_000, 300_000, 1_000_000] {
                let line = String(repeating: "x", count: size) + "\n"
                let count = try await connection.copyIn("COPY t FROM STDIN") { writer in
                    for _ in 0..<40 { try await writer.write(line) }
                }
                #expect(count == 40)
            }
        }
    }

    @Test func `bad data is told at the end and keeps nothing`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int)")
            await #expect {
                _ = try await connection.copyIn("COPY t FROM STDIN") { try await $0.write("1\nx\n") }
            } throws: { error in
                let error = error as? PostgresError
                return error?.sqlState == "22P02" && error?.query == "COPY t FROM STDIN"
            }
            #expect(try await connection.query("SELECT count(*) AS n FROM t").first?.decode("n", as: Int.self) == 0)
        }
    }

    private struct ChangedMyMind: Error {}

    @Test func `a writer that throws keeps nothing`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int)")
            await #expect(throws: ChangedMyMind.self) {
                _ = try await connection.copyIn("COPY t FROM STDIN") { writer in
                    try await writer.write("1\n")
                    throw ChangedMyMind()
                }
            }
            #expect(try await connection.query("SELECT count(*) AS n FROM t").first?.decode("n", as: Int.self) == 0)
        }
    }

    @Test func `rejections are told at the beginning`() async throws {
        try await withConnection { connection in
            #expect(
                await failure { try await connection.copyOut("COPY absent TO STDOUT") }?.sqlState == .undefinedTable)
            #expect(await failure { try await connection.copyOut("SELECT 1") }?.kind == .encoding)
            #expect(await failure { try await connection.copyOut("COPY (SELECT \(1)) TO STDOUT") }?.kind == .encoding)
            try await expectAnswer(from: connection)
        }
    }

    @Test func `an error in the middle comes out of the sequence`() async throws {
        try await withConnection { connection in
            await #expect {
                for try await _ in try await connection.copyOut(
                    "COPY (SELECT 1 / (100000 - g) FROM generate_series(1, 100000) g) TO STDOUT")
                {}
            } throws: { ($0 as? PostgresError)?.sqlState == .divisionByZero }
            try await expectAnswer(from: connection)
        }
    }

    @Test func `a sequence given up leaves the connection usable`() async throws {
        try await withConnection { connection in
            for try await _ in try await connection.copyOut("COPY (SELECT generate_series(1, 1000000)) TO STDOUT") {
                break
            }
            _ = try await connection.copyOut("COPY (SELECT generate_series(1, 1000)) TO STDOUT")
            try await expectAnswer(from: connection)
        }
    }

    @Test func `other statements wait for their turn`() async throws {
        try await withConnection { connection in
            let copy = try await connection.copyOut("COPY (SELECT generate_series(1, 200000)) TO STDOUT")
            async let behind = connection.query("SELECT 5 AS n")
            var size = 0
            for try await chunk in copy { size += chunk.count }
            #expect(size == (1...200_000).reduce(0) { $0 + "\($1)\n".utf8.count })
            #expect(try await behind.first?.decode("n", as: Int.self) == 5)
        }
    }

    @Test func `a slow consumer keeps memory flat`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                // 600 MB, of which we take a little and then look away until the server is stuck.
                let pid = connection.backendPID
                let copy = try await connection.copyOut(
                    "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 600000)) TO STDOUT")
                var iterator = copy.makeAsyncIterator()
                let before = try ResidentMemory.kibibytes()
                var taken = 0
                for _ in 0..<20 {
                    for _ in 0..<50 { taken += try await iterator.next()?.count ?? 0 }
                    try await waitUntil(
                        other,
                        "EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = 'ClientWrite')"
                    )
                    let progress: SQL = "SELECT bytes_processed FROM pg_stat_progress_copy WHERE pid = \(pid)"
                    let sent = try #require(try await other.query(progress).first?.decode(0, as: Int.self))
                    #expect(sent - taken < 4 << 20, "read ahead of the consumer")
                }
                // 573 MiB, if it were read ahead, or if what has been taken were kept. Other tests take memory too, for
                // a while.
                func isFlat() throws -> Bool { try ResidentMemory.kibibytes() - before < 450 << 10 }
                try await until("it was not read ahead") { try isFlat() }
                while let chunk = try await iterator.next() { taken += chunk.count }
                #expect(taken == 600_000 * 1001)
                try await until("what was taken is not kept") { try isFlat() }
            }
        }
    }

    @Test func `a killed server ends a copy even while the consumer looks away`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                let pid = connection.backendPID
                let copy = try await connection.copyOut("COPY (SELECT generate_series(1, 100000000)) TO STDOUT")
                var iterator = copy.makeAsyncIterator()
                _ = try await iterator.next()
                try await other.query("SELECT pg_terminate_backend(\(pid))")
                try await waitUntil(other, "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(pid))")
                await #expect(throws: PostgresError.self) { while try await iterator.next() != nil {} }
                await connection.waitUntilClosed()
                #expect(connection.isClosed)
            }
        }
    }

    @Test func `a killed server ends a copy in`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                try await connection.query("CREATE TEMP TABLE t (id int)")
                let pid = connection.backendPID
                await #expect {
                    _ = try await connection.copyIn("COPY t FROM STDIN") { writer in
                        try await writer.write("1\n")
                        try await other.query("SELECT pg_terminate_backend(\(pid))")
                        while true { try await writer.write(String(repeating: "2\n", count: 10_000)) }
                    }
                } throws: { ($0 as? PostgresError)?.isConnectionLoss == true }
                #expect(connection.isClosed)
            }
        }
    }

    @Test func `a cancelled writer leaves a usable connection`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t (id int)")
            let task = Task {
                try await connection.copyIn("COPY t FROM STDIN") { writer in
                    while true { try await writer.write("1\n") }
                }
            }
            try await wait(while: connection.load == 0)
            task.cancel()
            #expect(await failure { try await task.value }?.kind == .cancelled)
            let left = try await connection.query("SELECT FROM t")
            #expect(left.count == 0)
        }
    }

    @Test func `scripts run as one transaction`() async throws {
        try await withConnection { connection in
            try await connection.executeScript(
                "CREATE TEMP TABLE t (id int); INSERT INTO t VALUES (1), (2); INSERT INTO t SELECT 3; -- done")
            #expect(try await connection.query("SELECT count(*) AS n FROM t").first?.decode("n", as: Int.self) == 3)
            let error = await failure {
                try await connection.executeScript("DELETE FROM t; SELECT 1 / 0; DELETE FROM absent")
            }
            #expect(error?.sqlState == .divisionByZero)
            #expect(error?.query?.hasPrefix("DELETE FROM t") == true)
            #expect(try await connection.query("SELECT count(*) AS n FROM t").first?.decode("n", as: Int.self) == 3)
            try await connection.executeScript("")
        }
    }

    @Test func `copy inside a script ends the connection instead of hanging`() async throws {
        try await withConnection { connection in
            let error = await failure {
                try await connection.executeScript("CREATE TEMP TABLE t (id int); COPY t FROM STDIN;")
            }
            #expect(error?.kind == .protocolViolation)
        }
    }
}
