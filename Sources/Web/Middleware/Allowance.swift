import HTTPTypes
import NIOConcurrencyHelpers
package import Service

/// The quotas of one client or account, and the amounts that a request took from them.
package struct Allowance: Sendable {
    private let limiters: [RateLimiter]
    /// For each limiter.
    private let keys: [RateLimitKey]
    /// The amounts taken by this request, for each limiter.
    private let taken: NIOLockedValueBox<[Int]>
    private let writes: Bool

    package init(_ limiters: [RateLimiter], _ key: RateLimitKey, writes: Bool) {
        self.init(limiters.map { ($0, key) }, writes: writes)
    }

    /// Quotas with the client, account or API key that each is for.
    init(_ quotas: [(limiter: RateLimiter, key: RateLimitKey)], writes: Bool) {
        limiters = quotas.map(\.limiter)
        keys = quotas.map(\.key)
        self.writes = writes
        taken = NIOLockedValueBox(Array(repeating: 0, count: limiters.count))
    }

    /// Takes from the quotas; if one is used up, gives back what was taken from the others.
    /// - Throws: `ProblemDetails` (429) that says when to try again.
    package func take(items: Int, bytes: Int = 0) throws(ProblemDetails) {
        for (index, limiter) in limiters.enumerated() {
            let cost = cost(limiter.policy.unit, items, bytes)
            let decision = limiter.take(keys[index], cost)
            guard decision.isAllowed else {
                giveBack()
                throw QuotaRejection(name: limiter.policy.name, retryAfter: decision.retryAfter).problem
            }
            taken.withLockedValue { $0[index] += cost }
        }
    }

    /// Counts bytes of a body that did not say how long it is.
    func charge(bytes: Int) {
        for (limiter, key) in zip(limiters, keys) where limiter.policy.unit == .bytes { limiter.charge(key, bytes) }
    }

    /// Gives back bytes that were taken for a body but not read.
    func giveBack(bytes: Int) {
        for (index, limiter) in limiters.enumerated() where limiter.policy.unit == .bytes {
            limiter.giveBack(keys[index], bytes)
            taken.withLockedValue { $0[index] -= bytes }
        }
    }

    /// Gives back everything that the request took, because it was not served, through no fault of its sender.
    package func giveBack() {
        let taken = taken.withLockedValue { taken in
            defer { taken = Array(repeating: 0, count: taken.count) }
            return taken
        }
        for (index, cost) in taken.enumerated() where cost > 0 { limiters[index].giveBack(keys[index], cost) }
    }

    /// Reports the state of the quotas.
    /// - Source: draft-ietf-httpapi-ratelimit-headers.
    func tell(_ headers: inout HTTPFields) {
        let states = zip(limiters, keys).map { limiter, key in
            let state = limiter.take(key, 0)
            return "\"\(limiter.policy.name)\";r=\(state.remaining);t=\(state.secondsToFull)"
        }
        headers[.rateLimit] = states.joined(separator: ", ")
        headers[.rateLimitPolicy] = limiters.map(\.policy.headerValue).joined(separator: ", ")
    }

    private func cost(_ unit: RateLimitPolicy.Unit, _ items: Int, _ bytes: Int) -> Int {
        switch unit {
        case .items: items
        case .writes: writes ? items : 0
        case .bytes: bytes
        }
    }
}

extension RateLimitPolicy {
    /// The member of `RateLimit-Policy`.
    fileprivate var headerValue: String {
        let unit = unit == .bytes ? ";qu=\"content-bytes\"" : ""
        return "\"\(name)\";q=\(quota)\(unit);w=\(window.components.seconds)"
    }
}

extension QuotaRejection: ProblemConvertible {
    /// 429, with the time of the next attempt.
    package var problem: ProblemDetails {
        ProblemDetails(
            .tooManyRequests, detail: "The quota \"\(name)\" is used up.",
            headers: [.retryAfter: String(retryAfter)])
    }
}
