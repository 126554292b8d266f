package import Testing

/// Returns when a condition holds, however slow the machine: only a hang reaches the deadline.
///
/// - Parameters:
///   - what: the condition, for the message of a test that hangs.
///   - period: the time between two checks.
/// - Throws: `ExpectationFailedError` at the deadline, and whatever the condition throws.
package func until(
    _ what: @autoclosure () -> Comment = "", every period: Duration = .milliseconds(10),
    sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + Hang.deadline
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, what(), sourceLocation: sourceLocation)
        try await Task.sleep(for: period)
    }
}

/// How long a wait may take before it counts as a hang: many times what the slowest machine needs.
package enum Hang {
    /// The deadline of a single wait.
    package static let deadline: Duration = .seconds(600)
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. It does not measure speed: a busy machine does not reach it.
    package static var hangs: TimeLimitTrait { .timeLimit(.minutes(40)) }
}
