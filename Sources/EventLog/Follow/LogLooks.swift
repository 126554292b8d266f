import FoundationEssentials
import NIOConcurrencyHelpers
package import Postgres

/// The looks at the log that all followers of a process share.
///
/// Most events concern few models. One look at a range of positions finds which types of events it has, and that no
/// position is missing, and moves the checkpoints of the models that fold none of them; only the others have work. One
/// that finds nothing serves all who ask soon after.
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
        /// The checkpoints by model, if it saw no position.
        var checkpoints: [String: Int64] = [:]
    }

    private struct State {
        var isLooking = false
        /// The newest look that saw an event.
        var last: Look?
        /// The newest one that found the log unchanged, and when it began.
        var idle: (look: Look, begun: ContinuousClock.Instant)?
    }

    private enum Turn {
        case found(Look)
        case look, wait
    }

    private let models: [ReadModel]
    private let pool: PostgresPool
    private let progress: ModelProgress
    private let batch: Int64
    private let shared: Duration
    private let state = NIOLockedValueBox(State())
    private let ended = Signal()

    /// - Parameters:
    ///   - models: those that the process follows.
    ///   - pace: that of the followers. A look that finds nothing is shared for a quarter of the time between two
    ///     polls, so that a follower does not get the same one at its next poll.
    package init(
        _ models: [ReadModel], pool: PostgresPool, progress: ModelProgress, pace: Follower.Pace = Follower.Pace()
    ) {
        self.models = models
        self.pool = pool
        self.progress = progress
        batch = pace.batch
        shared = pace.poll / 4
    }

    /// Looks at the log above a position, or returns the last look if it began there. One that found nothing is
    /// returned for a while, unless a higher position has been announced.
    /// - Parameter announced: the highest position that the caller knows to be committed.
    /// - Throws: `PostgresError` (SQLSTATE SKE04: a position is missing from the log).
    func next(after position: Int64, announced: Int64) async throws -> Look {
        while true {
            switch turn(after: position, announced) {
            case .found(let look): return look
            case .look: return try await take(after: position)
            case .wait:
                await ended.wait { !self.state.withLockedValue(\.isLooking) }
                try Task.checkCancellation()
            }
        }
    }

    private func turn(after position: Int64, _ announced: Int64) -> Turn {
        state.withLockedValue { state in
            if let last = state.last, last.after == position { return .found(last) }
            if let idle = state.idle, idle.look.after == position, announced <= position,
                ContinuousClock.now - idle.begun < shared
            {
                return .found(idle.look)
            }
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
        let begun = ContinuousClock.now
        let look = try await pool.withExclusive { try await read(after: position, $0) }
        state.withLockedValue { state in
            if look.upTo > look.after { state.last = look }
            if look.head == look.after { state.idle = (look, begun) }
        }
        for model in look.moved where progress.position(of: model) < look.upTo {
            progress.reached(look.upTo, model: model)
        }
        return look
    }

    private func read(after position: Int64, _ connection: PostgresConnection) async throws -> Look {
        let (names, versions) = (models.map(\.name), models.map { Int32(clamping: $0.version) })
        let row = try await connection.query(
            "select upto, head, moved from model.look(\(position), \(batch), \(names), \(versions))"
        ).onlyRow()
        var look = Look(
            after: position, upTo: try row.decode("upto"), head: try row.decode("head"),
            moved: Set(try row.decode("moved", as: [String].self)))
        if look.upTo == position { look.checkpoints = try await checkpoints(connection) }
        return look
    }

    /// The checkpoints of all models, read at once: an idle follower looks whether its own was moved.
    private func checkpoints(_ connection: PostgresConnection) async throws -> [String: Int64] {
        var checkpoints: [String: Int64] = [:]
        for checkpoint in try await Checkpoint.all(connection)
        where models.contains(where: { $0.name == checkpoint.name && $0.version == checkpoint.version }) {
            checkpoints[checkpoint.name] = checkpoint.position
        }
        return checkpoints
    }
}
