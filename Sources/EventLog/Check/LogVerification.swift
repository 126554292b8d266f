package import Postgres

/// The checks that `skein verify` makes on a log, and their results.
///
/// The log is read in slices, each in a transaction of its own, so that no snapshot lives long enough to keep dead row
/// versions from being removed. That is sound because only redaction still changes anything at or below the head of the
/// start; events appended meanwhile are left to the next verification.
package struct LogVerification: Sendable, Hashable {
    /// One thing that was checked.
    package struct Check: Sendable, Hashable {
        /// The rule that must hold.
        package let name: String
        /// How many rows or values were checked.
        package let examined: Int64
        /// How many break the rule; 0 if it holds.
        package let broken: Int64
    }

    /// The highest position of the log that was checked.
    package let head: Int64
    /// The checks, in the order of ``LogRule``.
    package let checks: [Check]

    /// Whether nothing is broken.
    package var isSound: Bool { checks.allSatisfy { $0.broken == 0 } }

    /// Reads the whole log; minutes on a large one.
    /// - Parameters:
    ///   - slice: positions or rows read in one transaction.
    ///   - progress: called between the slices.
    /// - Throws: `PostgresError`.
    package static func run(
        _ pool: PostgresPool, slice: Int64 = 50_000, progress: () async throws -> Void = {}
    ) async throws -> LogVerification {
        let head = try await LogReader(pool).origin().position
        var reading = SlicedReading(pool: pool, head: head, slice: slice)
        while try await reading.next() { try await progress() }
        return LogVerification(
            head: head,
            checks: LogRule.allCases.map { rule in
                let count = reading.counts[rule] ?? RuleCount()
                return Check(name: rule.name, examined: count.examined, broken: count.broken)
            })
    }
}

/// A rule that every log obeys.
enum LogRule: String, CaseIterable {
    case positions, times, versions, once, streams, commands, redactions, content, checkpoints

    var name: String {
        switch self {
        case .positions: "positions are gap-free from 1 to the head"
        case .times: "times never go back"
        case .versions: "a version follows the one before it, at a higher position"
        case .once: "a stream has each of its versions once"
        case .streams: "streams know their first position and their version"
        case .commands: "a command is in a stream once"
        case .redactions: "a tombstone has a PayloadRedacted event with its hash, and the other way round"
        case .content: "content belongs to a position of its own stream"
        case .checkpoints: "no checkpoint is ahead of the head"
        }
    }
}

/// The number of items checked for a rule, and of those that break it.
struct RuleCount {
    var examined: Int64 = 0
    var broken: Int64 = 0
}
