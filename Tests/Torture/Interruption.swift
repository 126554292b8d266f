import UnixSignals

/// Handles SIGINT and SIGTERM: cancels the work, and lets it clean up.
enum Interruption {
    /// Runs something that a signal cancels.
    /// - Returns: nil when a signal came; `body` has returned by then as well.
    static func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask {
                for await _ in signals { break }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            await group.waitForAll()
            return first
        }
    }

    /// Runs something that must not be cut short, such as starting a server, or stopping what was started.
    static func shielding<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // An unstructured task does not inherit the cancellation; it is awaited, so it does not outlive the caller.
        try await Task { try await body() }.value
    }
}
