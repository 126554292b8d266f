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
    private let tally: RoundTally
    private let faults: [Fault: Int]

    init(seed: UInt64, recorder: Recorder, faults: [Fault: Int], violations: [String]) {
        self.seed = seed
        self.faults = faults
        self.violations = violations
        commands = recorder.history.commands.count
        tally = RoundTally(recorder)
        head = recorder.reached.values.max() ?? 0
    }

    /// Up to five violations of each kind. Those that differ only in hexadecimal digits, as in ids and counts, are of
    /// one kind: hundreds of one would hide the others.
    private var examples: [String] {
        var counts: [String: Int] = [:]
        return violations.filter { violation in
            let kind = violation.filter { !$0.isHexDigit }
            counts[kind, default: 0] += 1
            return counts[kind, default: 0] <= 5
        }
    }

    /// One line, and one more for each example of a violation.
    var description: String {
        let struck = Fault.allCases.compactMap { fault in faults[fault].map { "\($0) \(fault.rawValue)" } }
            .joined(separator: ", ")
        let line =
            "seed \(seed), \(head) events, \(commands) commands: \(tally.description); \(struck); "
            + "\(violations.count) violations; \(times)"
        return ([line] + examples.map { "  " + $0 }).joined(separator: "\n")
    }
}
