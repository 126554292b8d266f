package import FoundationEssentials
import NIOConcurrencyHelpers
package import Postgres

/// The progress of a read model, as stored in the database.
package struct Checkpoint: Sendable, Hashable {
    /// Why a model does not advance.
    package struct Failure: Sendable, Hashable {
        /// When it last failed.
        package let at: Date
        /// The five characters of PostgreSQL's SQLSTATE.
        package let sqlState: String
        /// PostgreSQL's message.
        package let message: String
        /// Failures since the position last moved.
        package let count: Int
    }

    package let name: String
    package let version: Int
    /// The last position folded into the model.
    package let position: Int64
    /// Why the model does not advance; nil while it does.
    package let failure: Failure?

    /// All models' checkpoints, by name and version.
    /// - Throws: `PostgresError`.
    package static func all(_ database: some PostgresQuerying) async throws(PostgresError) -> [Checkpoint] {
        let result = try await database.query(
            """
            select name, version, position, failed_at, failed_sqlstate, failed_message, failures
              from model.checkpoints order by name, version
            """)
        return try result.rows.map(Checkpoint.init(row:))
    }

    private init(row: PostgresRow) throws(PostgresError) {
        name = try row.decode("name")
        version = Int(try row.decode("version", as: Int32.self))
        position = try row.decode("position")
        guard let at: Date = try row.decode("failed_at") else {
            failure = nil
            return
        }
        failure = Failure(
            at: at, sqlState: try row.decode("failed_sqlstate", as: String?.self) ?? "",
            message: try row.decode("failed_message", as: String?.self) ?? "",
            count: Int(try row.decode("failures", as: Int32.self)))
    }

    /// Records that folding failed; rows and position stay.
    static func fail(
        _ model: ReadModel, _ error: PostgresError, _ database: some PostgresQuerying
    ) async throws(PostgresError) {
        _ = try await database.query(
            """
            update model.checkpoints
               set failed_at = clock_timestamp(), failed_sqlstate = \(error.sqlState?.rawValue ?? ""),
                   failed_message = \(error.message), failures = failures + 1
             where name = \(model.name) and version = \(Int32(clamping: model.version))
            """)
    }
}

/// The progress of each read model as known to this process, and the requests that wait for more to read their own
/// writes.
package final class ModelProgress: Sendable {
    private struct Waiter {
        var position: Int64
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var reached: [String: Int64] = [:]
        var waiters: [String: [UInt64: Waiter]] = [:]
        var nextID: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// The position a model is known to have reached.
    package func position(of model: String) -> Int64 {
        state.withLockedValue { $0.reached[model] ?? 0 }
    }

    /// Whether a request waits for the model.
    package func isAwaited(_ model: String) -> Bool {
        state.withLockedValue { !($0.waiters[model]?.isEmpty ?? true) }
    }

    /// The model's rows are committed up to this position; a lower one than before means that the log was restored.
    package func reached(_ position: Int64, model: String) {
        let ready = state.withLockedValue { state -> [CheckedContinuation<Bool, Never>] in
            state.reached[model] = position
            let done = state.waiters[model]?.filter { $0.value.position <= position } ?? [:]
            for id in done.keys { state.waiters[model]?[id] = nil }
            return done.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume(returning: true) }
    }

    /// Waits until the model has reached the position.
    /// - Returns: false when it had not within `limit`, or the task was cancelled.
    package func wait(for position: Int64, model: String, atMost limit: Duration = .seconds(2)) async -> Bool {
        if self.position(of: model) >= position { return true }
        let id = state.withLockedValue { state -> UInt64 in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.register(id, position, model) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func register(_ id: UInt64, _ position: Int64, _ model: String) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLockedValue { state -> Bool? in
                    if state.reached[model] ?? 0 >= position { return true }
                    if Task.isCancelled { return false }
                    state.waiters[model, default: [:]][id] = Waiter(position: position, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.waiters[model]?.removeValue(forKey: id) }
            waiter?.continuation.resume(returning: false)
        }
    }
}
