internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Makes and checks the records of passwords, with scrypt.
///
/// Each derivation takes 32 MiB and a core for a third of a second, on purpose. So only two run at once, others wait in
/// a queue of bounded length, and none of it is on the threads that serve requests.
package struct PasswordHasher: Sendable {
    /// Why a password was neither hashed nor checked.
    package enum Failure: Error, Hashable, Sendable {
        /// The queue is full; retry in a few seconds.
        case busy
        /// The stored value is not a password record.
        case malformedRecord
    }

    private let cost: ScryptCost
    private let threads: BlockingThreads

    /// - Parameters:
    ///   - atOnce: most derivations that run at once.
    ///   - waiting: most that wait for their turn.
    package init(cost: ScryptCost = .standard, atOnce: Int = 2, waiting: Int = 64) {
        self.cost = cost
        threads = BlockingThreads(atOnce, waiting: waiting)
    }

    /// The record of a password: `scrypt$15$8$3$<salt>$<hash>`.
    ///
    /// - Throws: ``Failure/busy``, or `CancellationError` while waiting.
    package func record(of password: String) async throws -> String {
        let cost = cost
        return try await run { try ScryptRecord.make(password, cost: cost).description }
    }

    /// Whether a password matches a record.
    ///
    /// - Parameter record: nil if there is none to check against. The result is then false, after as long as any other.
    /// - Throws: ``Failure``, or `CancellationError` while waiting.
    package func check(_ password: String, against record: String?) async throws -> Bool {
        guard let record else {
            let cost = cost
            _ = try await run { try ScryptRecord.unmatchable(cost).fits(password) }
            return false
        }
        guard let parsed = ScryptRecord(record) else { throw Failure.malformedRecord }
        return try await run { try parsed.fits(password) }
    }

    private func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        do {
            return try await threads.run(work)
        } catch is BlockingThreads.Full {
            throw Failure.busy
        }
    }
}

/// Runs work that keeps a thread busy for long, off Swift's cooperative pool: one piece on each thread, others wait in
/// order, and when too many wait, more are rejected.
final class BlockingThreads: Sendable {
    /// Too many wait already.
    struct Full: Error {}

    private let pool: NIOThreadPool
    private let limit: Int
    private let admitted = NIOLockedValueBox(0)

    /// - Parameter waiting: most pieces that wait while all threads are busy.
    init(_ count: Int, waiting: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        limit = count + waiting
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// The number of pieces that run or wait.
    var load: Int { admitted.withLockedValue { $0 } }

    /// Runs a piece of work when its turn comes. Once begun it runs to its end, even if the task is cancelled; the
    /// place of a task that is cancelled earlier becomes free when its turn would have come.
    ///
    /// - Throws: ``Full``; `CancellationError` when the task is cancelled before the turn comes; what `work` throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try admitted.withLockedValue { count in
            guard count < limit else { throw Full() }
            count += 1
        }
        defer { admitted.withLockedValue { $0 -= 1 } }
        return try await pool.runIfActive(work)
    }
}
