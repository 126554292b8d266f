internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Makes and checks the records of passwords, with scrypt.
///
/// Each derivation holds 32 MiB and a core for a third of a second, on purpose. So only two run at once, others wait in
/// a queue of bounded length, and none of it is on the threads that serve requests.
package struct PasswordHasher: Sendable {
    /// Why a password was neither hashed nor checked.
    package enum Failure: Error, Hashable, Sendable {
        /// More people are signing in than can wait; trying again in a few seconds helps.
        case busy
        /// What is stored is no record of a password.
        case malformedRecord
    }

    private let cost: ScryptCost
    private let threads: BlockingThreads

    /// - Parameters:
    ///   - atOnce: how many derivations run at once.
    ///   - waiting: how many more may wait for their turn.
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

    /// Whether a password is the one a record was made of.
    ///
    /// - Parameter record: nil when there is none to check against. The answer is then no, and takes as long as any no.
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

/// Runs work that keeps a thread busy for long, off Swift's cooperative pool: on each thread one piece, others wait in
/// order, and when too many wait, more are rejected.
final class BlockingThreads: Sendable {
    /// Too many wait already.
    struct Full: Error {}

    private let pool: NIOThreadPool
    private let limit: Int
    private let admitted = NIOLockedValueBox(0)

    /// - Parameter waiting: how many pieces may wait while all threads are busy.
    init(_ count: Int, waiting: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        limit = count + waiting
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// How many pieces run or wait.
    var load: Int { admitted.withLockedValue { $0 } }

    /// Runs a piece of work when its turn comes. Once begun it runs to its end, also when the task is cancelled; the
    /// place of a task that is cancelled before is free when its turn would have come.
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
