import Logging
import Postgres
import Testing

/// Lends a connection to the shared server and closes it afterwards.
func withConnection<Value>(
    _ configure: (inout PostgresConfiguration) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ body: (PostgresConnection) async throws -> Value
) async throws -> Value {
    var configuration = try await TestServer.shared.configuration
    configure(&configuration)
    let connection = try await PostgresConnection.connect(configuration, logger: .quiet)
    do {
        let value = try await body(connection)
        await connection.close()
        return value
    } catch {
        await connection.close()
        throw error
    }
}

extension Logger {
    /// Says nothing.
    static let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}

/// Checks that a connection, or a pool, is in step and usable.
func expectAnswer(
    from database: some PostgresQuerying, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let answer = try await database.query("SELECT 42 AS answer").first?.decode("answer", as: Int.self)
    #expect(answer == 42, sourceLocation: sourceLocation)
}
