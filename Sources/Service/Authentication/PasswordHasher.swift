package import Domain
import FoundationEssentials
import NIOConcurrencyHelpers
import NIOPosix

/// Makes and checks the records of passwords, with scrypt.
///
/// Each derivation deliberately takes 32 MiB and a third of a second of one core. Therefore only two run at once,
/// outside the threads that serve requests; others wait in a bounded queue, in which clients take turns.
package struct PasswordHasher: Sendable {
    /// Why a password was neither hashed nor checked.
    package enum Failure: Error, Hashable, Sendable {
        /// The stored value is not a password record.
        case malformedRecord
    }

    private let cost: ScryptCost
    private let threads: BlockingThreads
    private let turns: FairTurns

    /// - Parameters:
    ///   - atOnce: most derivations that run at once.
    ///   - waiting: most that wait for their turn.
    package init(cost: ScryptCost = .standard, atOnce: Int = 2, waiting: Int = 256) {
        self.cost = cost
        threads = BlockingThreads(atOnce, waiting: 0)
        turns = FairTurns(TurnLimits(atOnce: atOnce, waiting: waiting))
    }

    /// The record of a password: `scrypt$15$8$3$<salt>$<hash>`.
    ///
    /// - Throws: ``FairTurns/Rejection``, or `CancellationError` while waiting.
    package func record(of password: String) async throws -> String {
        let cost = cost
        return try await run { try ScryptRecord.make(password, cost: cost).description }
    }

    /// Whether a password matches a record.
    ///
    /// - Parameter record: nil if there is none to check against. The result is then false, after as long as any other.
    /// - Throws: ``Failure``; ``FairTurns/Rejection``, or `CancellationError` while waiting.
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
        try await turns.take(by: TurnClient.address) { try await threads.run(work) }
    }
}

/// Runs work that keeps a thread busy for long, off Swift's cooperative pool: one piece on each thread, others wait in
/// order, and when too many wait, more are rejected.
final class BlockingThreads: Sendable {
    /// Too many wait already.
    struct Rejection: Error {}

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
    /// - Throws: ``Rejection``; `CancellationError` when the task is cancelled before the turn comes; what `work`
    ///   throws.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try admitted.withLockedValue { count in
            guard count < limit else { throw Rejection() }
            count += 1
        }
        defer { admitted.withLockedValue { $0 -= 1 } }
        return try await pool.runIfActive(work)
    }
}

/// The rule for new passwords: 10 to 256 characters, not similar to a common password or to the account's e-mail
/// address.
package struct PasswordPolicy: Sendable {
    /// Why the list of common passwords cannot be used.
    package enum Failure: Error, Hashable, Sendable {
        /// The file is missing, unreadable or not UTF-8.
        case unreadable(path: String)
        /// The file holds fewer passwords than required.
        case tooFew(path: String, found: Int)
    }

    /// Fewest common passwords that the list must hold.
    package static let fewest = 1000

    private let common: CommonPasswords

    /// - Parameter common: the passwords to reject, compared without regard to case.
    package init(common: some Sequence<String>) {
        self.common = CommonPasswords(common)
    }

    /// Reads the common passwords from a file, one on each line.
    ///
    /// - Throws: ``Failure``.
    package init(contentsOf path: String) throws(Failure) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw .unreadable(path: path) }
        self.init(common: text.split(whereSeparator: \.isNewline).map(String.init))
        guard common.count >= Self.fewest else { throw .tooFew(path: path, found: common.count) }
    }

    /// Checks a new password.
    ///
    /// - Throws: the rule that it breaks.
    package func password(_ secret: String, email: EmailAddress? = nil) throws(RuleViolation) -> Password {
        try Password(secret, common: common, email: email)
    }
}
