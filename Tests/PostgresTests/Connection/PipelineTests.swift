import Logging
import Postgres
import TestSupport
import Testing

@Suite(.hangs) struct ConnectionTests {
    @Test func `a query binds its values`() async throws {
        try await withConnection { connection in
            let row = try #require(try await connection.query("SELECT \(1) + \(2) AS sum, \("it's") AS text").first)
            #expect(try row.decode("sum", as: Int.self) == 3)
            #expect(try row.decode("text") == "it's")
        }
    }

    @Test func `an error stays with its own statement`() async throws {
        try await withConnection { connection in
            let failures = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<2000 {
                    group.addTask {
                        let divisor = number % 100 == 7 ? 0 : 1
                        do throws(PostgresError) {
                            let result = try await connection.query("SELECT \(number) / \(divisor) AS n")
                            guard try result.first?.decode("n", as: Int.self) == number else { return true }
                            return divisor == 0
                        } catch {
                            return !(error.sqlState == .divisionByZero && divisor == 0)
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(failures == 0)
        }
    }
}
