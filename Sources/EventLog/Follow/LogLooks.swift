import FoundationEssentials
import NIOConcurrencyHelpers
package import Postgres

/// The looks at the log that all followers of a process share.
///
/// Most events concern few models. One look at a range of positions finds which types of events it has, and that no
/// position is missing, and moves the checkpoints of the models that fold none of them; only the others have work.
package final class LogLooks: Sendable {
    /// The result of one look at the positions above another one.
    struct Look: Sendable, Hashable {
        /// It saw the positions above this one.
        let after: Int64
        /// The last position that it saw; `after` where there was none.
        let upTo: Int64
        /// The head.
        let head: Int64
        /// The models whose checkpoints it moved to `upTo`.
        let moved: Set<String>
    }

    private struct State {
        var isLooking = false
        /// The newest look that saw an event.
        var last: Look?
    }

    private enum Turn {
        case found(Look)
        case look, wait
    }

    private let models: [ReadModel]
    private let pool: PostgresPool
    private let progress: ModelProgress
    private let batch: Int64
    private let state = NIOLockedValueBox(State())
    private let ended = Signal()

    /// - Parameters:
    ///   - models: those that the process follows.
    ///   - batch: positions in a look, at most.
    package init(
        _ models: [ReadModel], pool: PostgresPool, progress: ModelProgress, batch: Int64 = Follower.Pace().batch
    ) {
        self.models = models
        self.pool = pool
        self.progress = progress
        self.batch = batch
    }

    /// Looks at the log above a position, or returns the last look if it began there.
    /// - Throws: `PostgresError` (SQLSTATE SKE04: a position is missing from the log).
    func next(after position: Int64) async throws -> Look {
        while true {
            switch turn(after: position) {
            case .found(let look): return look
            case .look: return try await take(after: position)
            case .wait:
                await ended.wait { !self.state.withLockedValue(\.isLooking) }
                try Task.checkCancellation()
            }
        }
    }

    private func turn(after position: Int64) -> Turn {
        state.withLockedValue { state in
            if let last = state.last, last.after == position { return .found(last) }
            if state.isLooking { return .wait }
            state.isLooking = true
            return .look
        }
    }

    private func take(after position: Int64) async throws -> Look {
        defer {
            state.withLockedValue { $0.isLooking = false }
            ended.notify()
        }
        let look = try await look(after: position)
        if look.upTo > look.after { state.withLockedValue { $0.last = look } }
        for model in look.moved where progress.position(of: model) < look.upTo {
            progress.reached(look.upTo, model: model)
        }
        return look
    }

    private func look(after position: Int64) async throws -> Look {
        let (names, versions) = (models.map(\.name), models.map { Int32(clamping: $0.version) })
        let row = try await pool.withExclusive { connection in
            try await connection.query(
                "select upto, head, moved from model.look(\(position), \(batch), \(names), \(versions))"
            ).onlyRow()
        }
        return Look(
            after: position, upTo: try row.decode("upto"), head: try row.decode("head"),
            moved: Set(try row.decode("moved", as: [String].self)))
    }
}
