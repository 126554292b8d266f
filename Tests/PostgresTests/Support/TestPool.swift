import TestSupport
import Testing

@testable import Postgres

/// Runs something with a pool on the tests' server, and ends the pool.
func withPool<Value: Sendable>(
    _ configure: (inout PostgresPoolConfiguration) -> Void = { _ in },
    _ body: @Sendable (PostgresPool) async throws -> Value
) async throws -> Value {
    var configuration = PostgresPoolConfiguration.patient
    configuration.shutdownGrace = .milliseconds(100)
    configure(&configuration)
    return try await PostgresPool.withPool(
        try await TestServer.shared.configuration, configuration, logger: .quiet, body)
}

extension PostgresPoolConfiguration {
    /// With time limits that only a hang reaches.
    static var patient: PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration().unhurried
        (configuration.cancelGrace, configuration.shutdownGrace) = (Hang.deadline, Hang.deadline)
        return configuration
    }
}

/// The connection through which work is cancelled must be up for what these tests expect.
func waitUntilUp(_ pool: PostgresPool) async throws {
    try await wait(while: pool.control.connections.isEmpty)
}
