package import Domain
internal import NIOConcurrencyHelpers

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
