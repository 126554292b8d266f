import TestSupport
import Testing

@testable import Postgres

@Suite(.hangs) struct ListenTests {
    @Test func `nothing said after listening is missed`() async throws {
        try await withConnection { speaker in
            try await withConnection { connection in
                let heard = try await connection.listen("Odd \"channel\"")
                for number in 0..<100 {
                    try await speaker.query("SELECT pg_notify(\("Odd \"channel\""), \("\(number)"))")
                }
                var iterator = heard.makeAsyncIterator()
                for number in 0..<100 {
                    let notification = try await iterator.next()
                    #expect(notification?.payload == "\(number)")
                    #expect(notification?.channel == "Odd \"channel\"")
                    #expect(notification?.backendPID == speaker.backendPID)
                }
            }
        }
    }

    @Test func `channels are apart and end with their listeners`() async throws {
        try await withConnection { connection in
            let channels: SQL = "SELECT ARRAY(SELECT pg_listening_channels() ORDER BY 1) AS names"
            do {
                let heron = try await connection.listen("heron")
                let goose = try await connection.listen("goose")
                #expect(try await connection.query(channels).first?.decode("names") == ["goose", "heron"])
                try await connection.query("SELECT pg_notify('goose', '1'), pg_notify('heron', '2')")
                var first = heron.makeAsyncIterator()
                var second = goose.makeAsyncIterator()
                #expect(try await first.next()?.payload == "2")
                #expect(try await second.next()?.payload == "1")
            }
            try await until { try await connection.query(channels).first?.decode("names") == [String]() }
        }
    }

    @Test func `the end of the connection ends the sequence`() async throws {
        try await withConnection { other in
            try await withConnection { connection in
                let heard = try await connection.listen("c")
                try await other.query("SELECT pg_terminate_backend(\(connection.backendPID))")
                await #expect(throws: PostgresError.self) { for try await _ in heard {} }
            }
        }
    }

    @Test func `a cancelled listener stops`() async throws {
        try await withConnection { connection in
            let heard = try await connection.listen("c")
            let task = Task { for try await _ in heard {} }
            task.cancel()
            try await task.value
        }
    }
}
