package import Domain
import HTTPTypes
package import Hummingbird
import NIOConcurrencyHelpers
import Service

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

/// Counts requests against a quota: a token bucket for each key (account or client).
///
/// A bucket unused for a whole window is full again, and a full bucket need not be kept: so buckets live
/// in two generations, and the older one is dropped every window. Memory holds the clients of two windows, no more.
package final class RateLimiter: Sendable {
    /// The quota.
    package let policy: RateLimitPolicy
    private let now: @Sendable () -> ContinuousClock.Instant
    private let shards: [NIOLockedValueBox<Shard>]

    /// Starts counting.
    /// - Parameter now: a clock that never goes back.
    package init(
        _ policy: RateLimitPolicy, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.policy = policy
        self.now = now
        let start = now()
        // Shards, so that requests on different cores rarely meet at one lock.
        shards = (0..<16).map { _ in NIOLockedValueBox(Shard(start: start)) }
    }

    /// Counts one request.
    package func take(_ key: RateLimitKey) -> RateLimitDecision {
        shards[key.hashValue & 15].withLockedValue { $0.take(key, policy, now()) }
    }

    /// The number of buckets kept, for tests of the bound.
    var bucketCount: Int {
        shards.reduce(0) { $0 + $1.withLockedValue { $0.current.count + $0.previous.count } }
    }
}

/// The account or client that a bucket belongs to.
package enum RateLimitKey: Hashable, Sendable {
    /// An account, wherever it calls from.
    case account(AccountID)
    /// A client that is known only by its address.
    case address(ClientAddress)
}

extension RateLimiter {
    fileprivate struct Bucket {
        /// Requests that may come, with the fraction that has been refilled.
        var tokens: Double
        var updated: ContinuousClock.Instant
    }

    fileprivate struct Shard {
        var current: [RateLimitKey: Bucket] = [:]
        var previous: [RateLimitKey: Bucket] = [:]
        var rotated: ContinuousClock.Instant

        init(start: ContinuousClock.Instant) {
            rotated = start
        }

        mutating func take(
            _ key: RateLimitKey, _ policy: RateLimitPolicy, _ now: ContinuousClock.Instant
        ) -> RateLimitDecision {
            rotate(policy.window, now)
            let quota = Double(policy.quota)
            let perSecond = quota / (policy.window / .seconds(1))
            var bucket = current[key] ?? previous[key] ?? Bucket(tokens: quota, updated: now)
            let elapsed = bucket.updated.duration(to: now) / .seconds(1)
            bucket.tokens = min(quota, bucket.tokens + max(0, elapsed) * perSecond)
            bucket.updated = now
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            current[key] = bucket
            return RateLimitDecision(
                isAllowed: isAllowed, remaining: Int(bucket.tokens),
                secondsToFull: Int(((quota - bucket.tokens) / perSecond).rounded(.up)),
                retryAfter: isAllowed ? 0 : max(1, Int(((1 - bucket.tokens) / perSecond).rounded(.up))))
        }

        private mutating func rotate(_ window: Duration, _ now: ContinuousClock.Instant) {
            guard rotated.duration(to: now) >= window else { return }
            previous = current
            current = [:]
            rotated = now
        }
    }
}

/// Applies a quota to each account, or to each client where no account is signed in.
package struct RateLimiting: RouterMiddleware {
    private let limiter: RateLimiter
    private let addressing: ClientAddressing
    private let policyHeader: String

    /// Begins to count.
    package init(_ limiter: RateLimiter, addressing: ClientAddressing) {
        self.limiter = limiter
        self.addressing = addressing
        policyHeader = limiter.policy.headerValue
    }

    /// Takes from the quota and reports its state in the response headers, also of a rejection.
    /// - Throws: `ProblemDetails` when the quota is used up; what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let key = key(request, context) else { return try await next(request, context) }
        let decision = limiter.take(key)
        guard decision.isAllowed else {
            var problem = ProblemDetails(.tooManyRequests)
            problem.headers[.retryAfter] = String(decision.retryAfter)
            tell(decision, &problem.headers)
            throw problem
        }
        do {
            var response = try await next(request, context)
            tell(decision, &response.headers)
            return response
        } catch {
            // A rejection reports the state of the quota like every other response.
            guard var problem = ProblemDetails(error) else { throw error }
            tell(decision, &problem.headers)
            throw problem
        }
    }

    private func key(_ request: Request, _ context: APIContext) -> RateLimitKey? {
        if let principal = context.principal { return .account(principal.accountID) }
        return addressing.address(of: request, context).map(RateLimitKey.address)
    }

    private func tell(_ decision: RateLimitDecision, _ headers: inout HTTPFields) {
        headers[.rateLimit] = "\"\(limiter.policy.name)\";r=\(decision.remaining);t=\(decision.secondsToFull)"
        headers[.rateLimitPolicy] = policyHeader
    }
}
