import ArgumentParser
import UnixSignals

/// Handles SIGINT and SIGTERM while a command writes files: it removes them before it ends.
enum Interruption {
    /// As a shell reports a program that SIGINT has ended.
    private static let status = ExitCode(130)

    /// Runs something that a signal cancels.
    /// - Throws: `ExitCode` after a signal, when `body` has ended; what `body` throws.
    static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            guard let first else {
                _ = try? await group.next()
                throw status
            }
            return first
        }
    }
}
