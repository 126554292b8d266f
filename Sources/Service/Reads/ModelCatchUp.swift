package import EventLog
package import Postgres

/// Waits until read models have the whole log, for work that would go wrong with less.
package struct ModelCatchUp: Sendable {
    /// The time that a running service has to fold what it has just appended.
    private static let deadline = Duration.seconds(10)

    private let pool: PostgresPool

    package init(_ pool: PostgresPool) {
        self.pool = pool
    }

    /// Waits for the head that the log has now.
    /// - Throws: ``ModelBehind``; what the database throws.
    package func waitForHead(of models: [ReadModel]) async throws {
        let head = try await LogOrigin.read(pool).position
        let deadline = ContinuousClock.now + Self.deadline
        while let behind = try await behind(head, models) {
            guard ContinuousClock.now < deadline else { throw behind }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func behind(_ head: Int64, _ models: [ReadModel]) async throws -> ModelBehind? {
        let checkpoints = try await Checkpoint.all(pool)
        for model in models {
            let position = checkpoints.first { $0.name == model.name }?.position ?? 0
            if position < head { return ModelBehind(model, at: position, of: head) }
        }
        return nil
    }
}
