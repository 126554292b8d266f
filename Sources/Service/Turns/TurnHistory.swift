/// The time that each client has used in the last one to two hours.
///
/// Like the buckets of rate limits, times are in two generations, and the older one is dropped every hour, or earlier
/// if there are many clients, so that memory stays bounded.
struct TurnHistory: Sendable {
    static let span: Duration = .seconds(3_600)
    /// The most clients in a generation.
    static let capacity = 10_000

    private var current: [String: Duration] = [:]
    private var previous: [String: Duration] = [:]
    private var since: ContinuousClock.Instant

    init(since: ContinuousClock.Instant) {
        self.since = since
    }

    func used(by client: String) -> Duration {
        (current[client] ?? .zero) + (previous[client] ?? .zero)
    }

    mutating func add(_ time: Duration, of client: String, at now: ContinuousClock.Instant) {
        advance(to: now)
        if current[client] == nil, current.count >= Self.capacity { rotate(at: now) }
        current[client, default: .zero] += time
    }

    /// Drops a generation that is too old.
    mutating func advance(to now: ContinuousClock.Instant) {
        guard now - since >= Self.span else { return }
        if now - since >= Self.span * 2 { current = [:] }
        rotate(at: now)
    }

    private mutating func rotate(at now: ContinuousClock.Instant) {
        (previous, current, since) = (current, [:], now)
    }
}
