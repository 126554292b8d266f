package import EventLog
import NIOConcurrencyHelpers
package import Postgres

/// Sends reads to the standbys in turn, and to the primary if they cannot answer.
package struct ReadRouter: Sendable {
    package let standbys: [Standby]
    private let pool: PostgresPool
    private let progress: ModelProgress
    private let turn = NIOLockedValueBox(0)

    /// How long a read waits for a standby to replay the position that it must reflect.
    private static let replayWait: Duration = .milliseconds(300)

    /// - Parameters:
    ///   - primary: its connections.
    ///   - progress: the positions of the read models on the primary.
    package init(primary: PostgresPool, progress: ModelProgress, standbys: [Standby] = []) {
        (pool, self.progress, self.standbys) = (primary, progress, standbys)
    }

    /// Reads a model on a server where it has reached a position.
    /// - Parameters:
    ///   - others: models that must be as far as it is on a standby.
    ///   - position: one that the model has reached on the primary.
    ///   - body: has no side effects and sends nothing before it ends, because the primary repeats it when a standby
    ///     fails.
    package func read<Value: Sendable>(
        _ model: ReadModel, with others: [ReadModel] = [], seeing position: Int64,
        _ body: @escaping @Sendable (ReadSource) async throws -> Value
    ) async throws -> Value {
        if let standby = next(),
            let value = try await standby.read(model, with: others, seeing: position, within: Self.replayWait, body)
        {
            return value
        }
        return try await body(primary(model))
    }

    /// The primary, for reads that cannot change to another server once they have begun.
    func primary(_ model: ReadModel) -> ReadSource {
        ReadSource(pool: pool, position: progress.position(of: model.name))
    }

    private func next() -> Standby? {
        let usable = standbys.filter { $0.fault == nil }
        guard !usable.isEmpty else { return nil }
        return usable[
            turn.withLockedValue { turn in
                turn = (turn + 1) % usable.count
                return turn
            }]
    }
}
