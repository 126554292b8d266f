import FoundationEssentials
import TestSupport

/// The result of a round.
struct RoundReport: Sendable, CustomStringConvertible {
    let seed: UInt64
    let violations: [String]
    /// The duration of each part, such as `9 s to begin`.
    var times = ""

    private let head: Int64
    private let commands: Int
    private let acknowledged: Int
    private let conflicts: Int
    private let resolved: Int
    private let faults: [Fault: Int]

    init(seed: UInt64, recorder: Recorder, faults: [Fault: Int], violations: [String]) {
        self.seed = seed
        self.faults = faults
        self.violations = violations
        let commands = Dictionary(grouping: recorder.history.sendings, by: \.command).values.map { $0.map(\.answer) }
        self.commands = commands.count
        acknowledged = commands.count { $0.contains(where: \.isAcknowledgement) }
        conflicts = commands.count { $0.contains(.conflict) }
        resolved = commands.count { $0.contains(.unknown) && $0.contains { $0 != .unknown } }
        head = recorder.reached.values.max() ?? 0
    }

    /// One line, and one more for each violation.
    var description: String {
        let struck = Fault.allCases.map { "\(faults[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        let line =
            "seed \(seed), \(head) events, \(commands) commands: \(acknowledged) acknowledged, "
            + "\(conflicts) in conflict, \(resolved) unknown at first; \(struck); "
            + "\(violations.count) violations; \(times)"
        return ([line] + violations.prefix(20).map { "  " + $0 }).joined(separator: "\n")
    }
}

extension History.Sending.Answer {
    /// Whether it says that the command is in the log.
    var isAcknowledgement: Bool {
        if case .acknowledged = self { true } else { false }
    }
}
