import NIOConcurrencyHelpers
import Postgres
import ReadModels

/// Sends reads to the standbys in turn.
struct ReadRouter: Sendable {
    let standbys: [Standby]
    private let turn = NIOLockedValueBox(0)

    /// How long a read waits for a standby to replay the position that it must show.
    private static let replayWait: Duration = .milliseconds(300)

    init(_ standbys: [Standby] = []) {
        self.standbys = standbys
    }

    /// Reads on a standby where the models of a plan have reached a position.
    /// - Parameter body: takes a pool, and a position that the models have there; has no side effects and sends nothing
    ///   before it ends.
    /// - Returns: nil where the primary has to answer.
    func read<Value: Sendable>(
        _ plan: ReadPlan, seeing position: Int64,
        _ body: @escaping @Sendable (PostgresPool, Int64) async throws -> Value
    ) async throws -> Value? {
        guard let standby = next() else { return nil }
        return try await standby.read(plan, seeing: position, within: Self.replayWait, body)
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
