import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct StatementCacheOnServerTests {
    private let prepared: SQL = "SELECT count(*) AS n FROM pg_prepared_statements"

    @Test func `a statement is prepared once for all its values`() async throws {
        try await withConnection { connection in
            for number in 0..<50 { try await connection.query("SELECT \(number) AS n") }
            #expect(try await connection.query(prepared).first?.decode("n", as: Int.self) == 2)
        }
    }

    @Test func `survives a change of the table`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t AS SELECT 1 AS a")
            let all: SQL = "SELECT * FROM t"
            #expect(try await connection.query(all).columns == ["a"])
            try await connection.query("ALTER TABLE t ADD COLUMN b text DEFAULT 'x'")
            let columns = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<100 { group.addTask { try await connection.query(all).columns } }
                return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
            }
            #expect(columns == [["a", "b"]])
        }
    }

    @Test func `survives statements dropped behind its back`() async throws {
        try await withConnection { connection in
            try await connection.query("SELECT \(1) AS n")
            try await connection.query("DEALLOCATE ALL")
            #expect(try await connection.query("SELECT \(2) AS n").first?.decode("n", as: Int.self) == 2)
        }
    }

    @Test func `in a transaction the caller gets the error`() async throws {
        try await withConnection { connection in
            try await connection.query("CREATE TEMP TABLE t AS SELECT 1 AS a")
            try await connection.query("SELECT * FROM t")
            try await connection.query("BEGIN")
            try await connection.query("ALTER TABLE t ADD COLUMN b int")
            #expect(await failure { try await connection.query("SELECT * FROM t") }?.sqlState == .featureNotSupported)
            try await connection.query("ROLLBACK")
            #expect(try await connection.query("SELECT * FROM t").columns == ["a"])
        }
    }

    @Test func `in a failed transaction an evicted statement does not hold up a script`() async throws {
        try await withConnection {
            $0.statementCapacity = 1
        } _: { connection in
            try await connection.query("BEGIN")
            try await connection.query("SELECT 1")
            _ = await failure { try await connection.query("SELECT 1 / 0") }
            _ = await failure { try await connection.query("SELECT 2") }
            // Held up, it would never be sent.
            try await connection.executeScript("ROLLBACK", within: .seconds(30))
            try await expectAnswer(from: connection)
        }
    }

    @Test func `a statement that cannot be prepared is tried again`() async throws {
        try await withConnection { connection in
            let sql: SQL = "SELECT a FROM pg_temp.later"
            for _ in 0..<3 {
                #expect(await failure { try await connection.query(sql) }?.sqlState == .undefinedTable)
            }
            try await connection.query("CREATE TEMP TABLE later AS SELECT 5 AS a")
            #expect(try await connection.query(sql).first?.decode("a", as: Int.self) == 5)
        }
    }

    @Test func `stays bounded and deallocates`() async throws {
        try await withConnection {
            $0.statementCapacity = 4
        } _: { connection in
            for round in 0..<3 {
                for number in 0..<20 { try await connection.query(SQL(unsafeText: "SELECT \(number), \(round)")) }
            }
            #expect(try #require(await connection.query(prepared).first?.decode("n", as: Int.self)) <= 5)
            // A failed transaction cannot deallocate; it is made up for afterwards.
            try await connection.query("BEGIN")
            _ = await failure { try await connection.query("SELECT 1 / 0") }
            for number in 100..<120 {
                _ = await failure { try await connection.query(SQL(unsafeText: "SELECT \(number)")) }
            }
            try await connection.query("ROLLBACK")
            for number in 200..<210 { try await connection.query(SQL(unsafeText: "SELECT \(number)")) }
            #expect(try #require(await connection.query(prepared).first?.decode("n", as: Int.self)) <= 6)
        }
    }
}
