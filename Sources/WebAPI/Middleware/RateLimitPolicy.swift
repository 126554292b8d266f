/// A quota of requests for each client or account.
package struct RateLimitPolicy: Hashable, Sendable {
    /// The name in headers: letters, digits and hyphens.
    package let name: String
    /// Requests allowed in a window; all of them may come at once.
    package let quota: Int
    /// The length of a window.
    package let window: Duration

    /// Sets a quota.
    /// - Precondition: a quota of at least one in a window of at least a second.
    package init(name: String, quota: Int, window: Duration) {
        precondition(quota > 0 && window >= .seconds(1), "a rate limit lets something through")
        self.name = name
        self.quota = quota
        self.window = window
    }

    /// The value of `RateLimit-Policy`.
    package var headerValue: String { "\"\(name)\";q=\(quota);w=\(window.components.seconds)" }
}

/// The decision about one request.
package struct RateLimitDecision: Hashable, Sendable {
    /// Whether the request may go on.
    package let isAllowed: Bool
    /// Requests that could still come at once.
    package let remaining: Int
    /// Seconds until the whole quota is available again.
    package let secondsToFull: Int
    /// Seconds until one more request may come; 0 when it may now.
    package let retryAfter: Int
}
