import Domain

/// Limits what requests cause, such as mails: for each account, or for each address whatever account or client asks.
package struct RequestLimit: Sendable {
    private let limiter: RateLimiter?

    /// - Parameter policy: nil for no limit.
    package init(_ policy: RateLimitPolicy?) {
        limiter = policy.map { RateLimiter($0) }
    }

    /// Runs a request. If it fails, it does not count.
    /// - Parameter key: nil for a client without an address, as in tests without a socket.
    /// - Throws: `ProblemDetails` (429) when the quota is used up; what the request throws.
    package func counting<Value>(_ key: RateLimitKey?, _ request: () async throws -> Value) async throws -> Value {
        guard let limiter, let key else { return try await request() }
        let allowance = Allowance([limiter], key, writes: true)
        try allowance.take(items: 1)
        do {
            return try await request()
        } catch {
            allowance.giveBack()
            throw error
        }
    }
}
