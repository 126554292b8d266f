/// The time of a long computation. Others run between its steps: the threads that it runs on are those of all requests.
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
