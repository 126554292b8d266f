/// Runs something in a task of its own, and waits for it.
///
/// A task keeps the memory that its deepest call needed. That of a connection whose response lasts for hours would keep
/// some 25 KiB for each; this one's is freed at once.
/// - Throws: what it throws.
package func inSeparateTask<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
