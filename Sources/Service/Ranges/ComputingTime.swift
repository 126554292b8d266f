/// The time of a long computation, which yields between its steps because all requests share its threads.
struct ComputingTime: Sendable {
    private let end: ContinuousClock.Instant

    /// Starts now.
    init(limit: Duration) {
        end = .now + limit
    }

    /// Ends a step of the computation.
    /// - Throws: ``MapTimeout``, `CancellationError`.
    func pause() async throws {
        try Task.checkCancellation()
        guard ContinuousClock.now < end else { throw MapTimeout() }
        await Task.yield()
    }
}
