package import Domain
package import FoundationEssentials
import NIOConcurrencyHelpers

/// A quota of one unit for each client or account.
package struct RateLimitPolicy: Hashable, Sendable {
    /// The unit that is counted.
    package enum Unit: Hashable, Sendable {
        /// Requests; a batch counts as its items.
        case items
        /// Items of requests that write.
        case writes
        /// Bytes of bodies.
        case bytes
    }

    /// The name in headers: letters, digits and hyphens.
    package let name: String
    /// The unit that the quota counts.
    package let unit: Unit
    /// How much is allowed in a window; all of it may come at once.
    package let quota: Int
    /// The length of a window.
    package let window: Duration

    /// Sets a quota.
    /// - Precondition: a quota of at least one in a window of at least a second.
    package init(name: String, _ unit: Unit = .items, quota: Int, window: Duration) {
        precondition(quota > 0 && window >= .seconds(1), "a rate limit lets something through")
        self.name = name
        self.unit = unit
        self.quota = quota
        self.window = window
    }

    /// The same policy with another quota; nil for 0, which means no limit.
    package func with(quota: Int) -> RateLimitPolicy? {
        quota > 0 ? RateLimitPolicy(name: name, unit, quota: quota, window: window) : nil
    }
}

/// The decision about a request.
package struct RateLimitDecision: Hashable, Sendable {
    /// Whether the request may go on.
    package let isAllowed: Bool
    /// The amount that is left.
    package let remaining: Int
    /// Seconds until the whole quota is available again.
    package let secondsToFull: Int
    /// Seconds until the request is allowed; 0 when it is allowed now.
    package let retryAfter: Int
}

/// Counts against a quota: a token bucket for each key (account or client).
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

    /// Takes from the quota of a key, if enough is left. An amount above the whole quota may be taken from a full one,
    /// which then takes longer to refill.
    package func take(_ key: RateLimitKey, _ cost: Int = 1) -> RateLimitDecision {
        shards[key.hashValue & 15].withLockedValue { $0.take(key, cost, policy, now()) }
    }

    /// Takes an amount that has been used already from the quota of a key, however little is left.
    package func charge(_ key: RateLimitKey, _ cost: Int) {
        shards[key.hashValue & 15].withLockedValue { $0.charge(key, Double(cost), policy, now()) }
    }

    /// Gives back an amount that was taken but not used.
    package func giveBack(_ key: RateLimitKey, _ cost: Int) {
        charge(key, -cost)
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
    /// A client that is known only by its address, as ``TurnClient`` has it.
    case address(String)
    /// An API key, wherever it is used.
    case apiKey(UUID)
    /// The e-mail address for which passwords are tried, in lower case.
    case login(String)
}

extension RateLimiter {
    fileprivate struct Bucket {
        /// The amount left, including the fraction refilled; below 0 when more was used than was left.
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
            _ key: RateLimitKey, _ cost: Int, _ policy: RateLimitPolicy, _ now: ContinuousClock.Instant
        ) -> RateLimitDecision {
            var bucket = filled(key, policy, now)
            let quota = Double(policy.quota)
            let needed = min(Double(cost), quota)
            let isAllowed = bucket.tokens >= needed
            if isAllowed { bucket.tokens -= Double(cost) }
            current[key] = bucket
            return RateLimitDecision(
                isAllowed: isAllowed, remaining: max(0, Int(bucket.tokens)),
                secondsToFull: Int(((quota - bucket.tokens) / policy.perSecond).rounded(.up)),
                retryAfter: isAllowed ? 0 : max(1, Int(((needed - bucket.tokens) / policy.perSecond).rounded(.up))))
        }

        mutating func charge(
            _ key: RateLimitKey, _ cost: Double, _ policy: RateLimitPolicy, _ now: ContinuousClock.Instant
        ) {
            var bucket = filled(key, policy, now)
            bucket.tokens = min(Double(policy.quota), bucket.tokens - cost)
            current[key] = bucket
        }

        private mutating func filled(
            _ key: RateLimitKey, _ policy: RateLimitPolicy, _ now: ContinuousClock.Instant
        ) -> Bucket {
            rotate(policy.window, now)
            let quota = Double(policy.quota)
            var bucket = current[key] ?? previous[key] ?? Bucket(tokens: quota, updated: now)
            let elapsed = bucket.updated.duration(to: now) / .seconds(1)
            bucket.tokens = min(quota, bucket.tokens + max(0, elapsed) * policy.perSecond)
            bucket.updated = now
            return bucket
        }

        private mutating func rotate(_ window: Duration, _ now: ContinuousClock.Instant) {
            guard rotated.duration(to: now) >= window else { return }
            previous = current
            current = [:]
            rotated = now
        }
    }
}

extension RateLimitPolicy {
    /// How fast a quota fills.
    fileprivate var perSecond: Double { Double(quota) / (window / .seconds(1)) }
}
