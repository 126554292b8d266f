/// How long to wait before the next attempt: twice as long each time up to a limit, and of that a random part, so that
/// many clients do not come back to a restarted server in step.
package struct BackOff: Sendable {
    private let base: Duration
    private let limit: Duration
    private var attempts = 0

    /// - Parameters:
    ///   - base: the first pause.
    ///   - limit: the longest.
    package init(base: Duration = .milliseconds(50), limit: Duration = .seconds(5)) {
        self.base = base
        self.limit = limit
    }

    /// Between half and the whole of what is due.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = min(limit, base * (1 << min(attempts, 20)))
        attempts += 1
        return ceiling * Double.random(in: 0.5...1, using: &generator)
    }

    /// Between half and the whole of what is due.
    package mutating func next() -> Duration {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// After a success the next failure starts over.
    package mutating func reset() {
        attempts = 0
    }
}
