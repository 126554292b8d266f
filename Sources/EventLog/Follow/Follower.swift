package import Logging
package import Postgres

/// Keeps one read model up with the log.
///
/// All the work is one database function that locks the checkpoint, folds and moves on in one transaction; any number
/// of processes may follow the same model, one at a time does the work. A fold that fails changes nothing, is retried
/// with growing pauses, and is named in the checkpoint's row; it never skips.
package struct Follower: Sendable {
    /// How a follower paces itself.
    package struct Pace: Sendable {
        /// Positions folded in one transaction, at most.
        package var batch: Int64 = 50_000
        /// How often the log is polled when nothing was announced.
        package var poll: Duration = .seconds(1)
        /// How long events may gather before they are folded, unless a request in this process waits for them.
        package var rest: Duration = .milliseconds(100)
        /// How often the checkpoint is polled while another process folds and a request in this process waits.
        package var awaitedPoll: Duration = .milliseconds(20)
        /// The deadline for one step: a change of a taxon or a redaction can fold many records again.
        package var stepDeadline: Duration = .seconds(3_600)
        /// The wait before the next step while the database cannot be reached.
        package var reconnect: Duration = .milliseconds(500)

        /// The pace of a service: 50,000 positions at once, polled every second.
        package init() {}
    }

    private let model: ReadModel
    private let pool: PostgresPool
    private let looks: LogLooks
    private let head: HeadSignal
    private let progress: ModelProgress
    private let pace: Pace
    private let logger: Logger

    /// A follower of one model; it does nothing until it is run.
    /// - Parameter looks: shared with the other followers of the process; by default it looks for itself.
    package init(
        _ model: ReadModel, pool: PostgresPool, looks: LogLooks? = nil, head: HeadSignal, progress: ModelProgress,
        pace: Pace = Pace(), logger: Logger
    ) {
        self.model = model
        self.pool = pool
        self.looks = looks ?? LogLooks([model], pool: pool, progress: progress, pace: pace)
        self.head = head
        self.progress = progress
        self.pace = pace
        self.logger = logger
    }

    /// Follows until the task is cancelled.
    package func run() async {
        var backOff = BackOff(base: .milliseconds(100), limit: .seconds(30))
        // The checkpoint before the next step, where it is known.
        var position: Int64?
        var failures = 0
        while !Task.isCancelled {
            do {
                if position == nil { progress.reached(try await checkpoint(), model: model.name) }
                // The looks of other followers may have moved it.
                let from = max(position ?? 0, progress.position(of: model.name))
                position = from
                position = try await follow(from: from)
                failures = 0
                backOff.reset()
            } catch is CancellationError {
                return
            } catch let error as PostgresError where error.kind == .cancelled || error.kind == .closed {
                return
            } catch let error as PostgresError where error.isConnectionLoss {
                log(error)
                try? await Task.sleep(for: pace.reconnect)
            } catch {
                failures += 1
                await note(error, at: position, failures)
                position = nil
                try? await Task.sleep(for: backOff.next())
            }
        }
    }

    /// One step, and the wait after it.
    /// - Parameter position: the checkpoint, as far as it is known.
    /// - Returns: the checkpoint.
    private func follow(from position: Int64) async throws -> Int64 {
        let announced = head.position
        let look = try await looks.next(after: position, announced: announced)
        guard look.head >= position else { throw FollowerError(model: model.schema, outcome: .ahead) }
        if look.upTo == position {
            // The look may be a little old: a checkpoint that differs is read again.
            let isThere = look.checkpoints[model.name] == position
            let reached = try await isThere ? position : checkpoint()
            progress.reached(reached, model: model.name)
            guard reached == position else { return reached }
            head.correct(announced, to: look.head)
            await head.wait(beyond: position, atMost: pace.poll)
            return position
        }
        guard look.moved.contains(model.name) else { return try await advance(look) }
        await rest(after: look)
        return look.upTo
    }

    /// Folds what a look saw, and rests.
    /// - Returns: the checkpoint.
    private func advance(_ look: LogLooks.Look) async throws -> Int64 {
        let (name, version) = (model.name, Int32(clamping: model.version))
        let step = try await pool.withExclusive(within: pace.stepDeadline) { connection in
            try await connection.query(
                "select outcome, position from model.advance_to(\(name), \(version), \(look.after), \(look.upTo))"
            ).onlyRow()
        }
        let position: Int64 = try step.decode("position")
        switch FollowerStep.Outcome(rawValue: try step.decode("outcome")) {
        case .advanced:
            progress.reached(position, model: model.name)
            await rest(after: look)
            return position
        case .moved:
            guard position != look.after else { throw FollowerError(model: model.schema, outcome: .ahead) }
            progress.reached(position, model: model.name)
            return position
        case .locked:
            let position = try await checkpoint()
            progress.reached(position, model: model.name)
            try await Task.sleep(for: pace.awaitedPoll)
            await rest(atMost: pace.poll)
            return position
        default:
            throw FollowerError(model: model.schema, outcome: .unknown)
        }
    }

    /// Pauses where a look has reached the head. Under load there is always something new, but a step costs about the
    /// same for one event and hundreds.
    private func rest(after look: LogLooks.Look) async {
        if look.upTo >= look.head { await rest(atMost: pace.rest) }
    }

    /// Pauses for a while, or until a request waits.
    private func rest(atMost limit: Duration) async {
        let end = ContinuousClock.now + limit
        while !progress.isAwaited(model.name), ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: min(limit, pace.awaitedPoll))
        }
    }

    /// Folds the next positions, if there are any.
    /// - Throws: `PostgresError`.
    package func advance() async throws -> FollowerStep {
        let (name, version, batch) = (model.name, Int32(clamping: model.version), pace.batch)
        return try await pool.withExclusive(within: pace.stepDeadline) { connection in
            let result = try await connection.query(
                "select outcome, position, head from model.advance(\(name), \(version), \(batch))")
            return try FollowerStep(row: try result.onlyRow())
        }
    }

    /// Folds until nothing is left, or another process holds the checkpoint.
    /// - Throws: `PostgresError`, ``FollowerError``.
    package func catchUp() async throws {
        while true {
            let step = try await advance()
            switch step.outcome {
            case .advanced: continue
            case .current:
                progress.reached(step.position, model: model.name)
                return
            case .locked: try await Task.sleep(for: pace.awaitedPoll)
            case .ahead, .unknown, .moved: throw FollowerError(model: model.schema, outcome: step.outcome)
            }
        }
    }

    private func checkpoint() async throws -> Int64 {
        let result = try await pool.query(
            "select position from model.checkpoints where \(fragment: model.isItsCheckpoint)")
        guard let row = result.first else { throw FollowerError(model: model.schema, outcome: .unknown) }
        return try row.decode("position")
    }

    /// Readers are affected from the second failure in a row on: most failures are transient.
    private func note(_ error: any Error, at position: Int64?, _ failures: Int) async {
        log(error)
        if (error as? FollowerError)?.outcome == .ahead {
            progress.fail(model.name, .ahead)
        } else if failures > 1 {
            progress.fail(model.name, .failing)
        }
        guard let error = error as? PostgresError, let position else { return }
        try? await Checkpoint.fail(model, at: position, error, pool)
    }

    private func log(_ error: any Error) {
        logger.error(
            "read model does not advance",
            metadata: ["model": "\(model.schema)", "error": "\(String(reflecting: error))"])
    }
}

/// The outcome of one step of a follower.
package struct FollowerStep: Sendable, Hashable {
    /// How a step ended: it folded something; nothing was left to fold; another process holds the checkpoint; the model
    /// is not installed; its checkpoint lies above the head; or another process had moved it.
    package enum Outcome: String, Sendable {
        case advanced, current, locked, unknown, ahead, moved
    }

    /// How the step ended.
    package let outcome: Outcome
    /// The checkpoint after the step; 0 when locked or unknown.
    package let position: Int64
    /// The head the step saw; 0 when locked or unknown.
    package let head: Int64

    init(row: PostgresRow) throws {
        outcome = Outcome(rawValue: try row.decode("outcome")) ?? .unknown
        position = try row.decode("position")
        head = try row.decode("head")
    }
}

/// A model that cannot be followed: it was never installed, or it is ahead of a log that was restored.
package struct FollowerError: Error, Hashable, CustomStringConvertible {
    package let model: String
    /// The outcome of the step that failed.
    package let outcome: FollowerStep.Outcome

    package var description: String {
        outcome == .ahead
            ? "the read model \(model) is ahead of the log, which must have been restored: rebuild it"
            : "the read model \(model) is not installed"
    }
}
