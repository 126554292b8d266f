import EventLog
import NIOConcurrencyHelpers
import Postgres
import ReadModels

extension Standby {
    /// Reads on this standby if the main model of a plan reaches a position in time, and the others reach the main
    /// model's.
    /// - Parameter body: sends nothing before it ends.
    /// - Returns: nil when the primary has to answer: the standby has not reached it, was lost, or cancelled the read.
    func read<Value: Sendable>(
        _ plan: ReadPlan, seeing position: Int64, within limit: Duration,
        _ body: @escaping @Sendable (PostgresPool, Int64) async throws -> Value
    ) async throws -> Value? {
        let start = ContinuousClock.now
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask {
                    guard let start = await self.reach(position, plan.main.schema, within: limit)
                    else { return nil }
                    for other in plan.others {
                        guard await self.reach(start.position, other.schema, within: limit) != nil else { return nil }
                    }
                    let value = try await body(self.pool, start.position)
                    return self.finish(start.generation) ? value : nil
                }
                // A frozen server does not answer, and readers should not wait for the statement's deadline.
                group.addTask {
                    await self.lost.wait { self.fault != nil }
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch let error as PostgresError where error.isOfStandby(after: .now - start, limit: statementLimit) {
            if error.isConnectionLoss { note(.unreachable) }
            return nil
        }
    }

    private func finish(_ generation: Int) -> Bool {
        state.withLockedValue { state in
            guard state.generation == generation else { return false }
            state.reads += 1
            return true
        }
    }

    /// The position of a model, once that is high enough.
    private func reach(
        _ position: Int64, _ model: String, within limit: Duration
    ) async -> (position: Int64, generation: Int)? {
        let (known, generation) = state.withLockedValue { ($0.positions[model], $0.generation) }
        guard let known else { return nil }
        if known >= position { return (known, generation) }
        let reached = await withTaskGroup(of: Int64?.self) { group in
            group.addTask { await self.look(for: position, model) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return reached.map { ($0, generation) }
    }

    /// Polls the standby until it has reached the position.
    private func look(for position: Int64, _ model: String) async -> Int64? {
        while !Task.isCancelled {
            let result = try? await pool.query(
                "select position from model.checkpoints where name || '_v' || version = \(model)")
            guard let found: Int64 = try? result?.first?.decode("position") else { return nil }
            if found >= position {
                state.withLockedValue { $0.positions[model] = max($0.positions[model] ?? 0, found) }
                return found
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return nil
    }
}

extension PostgresError {
    /// Whether the primary may answer instead of this standby: the read was cancelled because of a conflict with
    /// recovery (40001, 40P01), the server is starting, stopping or gone (57P0x), or no connection was available. Or
    /// it was cancelled (57014) before its own limit: by a person, or by a shorter `statement_timeout` of the standby.
    /// - Parameters:
    ///   - elapsed: since the read began.
    ///   - limit: the shortest of its statements' limits.
    func isOfStandby(after elapsed: Duration, limit: Duration) -> Bool {
        if isConnectionLoss || [.poolTimeout, .timeout, .closed].contains(kind) { return true }
        guard let sqlState else { return false }
        if sqlState == .queryCanceled { return elapsed < limit }
        return sqlState == .serializationFailure || sqlState == .deadlockDetected || sqlState.rawValue.hasPrefix("57P")
    }
}
