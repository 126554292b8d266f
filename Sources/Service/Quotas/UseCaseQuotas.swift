/// The quotas of use cases, as an operator sets them; nil for no limit.
package struct UseCaseLimits: Sendable {
    /// Wrong passwords for an e-mail address with which clients try to log in.
    package var guesses: RateLimitPolicy? = .guesses
    /// Wrong passwords with which a signed-in account confirms requests.
    package var confirmations: RateLimitPolicy? = .guesses
    /// Mails that an account or an address gets on request.
    package var mails: RateLimitPolicy? = .mails
    /// Changes of an account by its owner.
    package var changes: RateLimitPolicy? = .changes
    /// Accounts that a client signs up.
    package var signUps: RateLimitPolicy? = .signUps

    /// The defaults.
    package init() {}

    /// No limits.
    package static let none: UseCaseLimits = {
        var limits = UseCaseLimits()
        (limits.guesses, limits.confirmations, limits.mails, limits.changes, limits.signUps) = (nil, nil, nil, nil, nil)
        return limits
    }()
}

extension RateLimitPolicy {
    /// Wrong passwords for an account.
    package static let guesses = RateLimitPolicy(name: "guesses", quota: 30, window: .seconds(900))
    /// Mails to an account or an address, on request.
    package static let mails = RateLimitPolicy(name: "mails", quota: 5, window: .seconds(3600))
    /// Changes of an account by its owner. Each makes the account's stream longer, which is read as a whole.
    package static let changes = RateLimitPolicy(name: "changes", quota: 60, window: .seconds(3600))
    /// Accounts that a client signs up. This bounds what a client may store, as other limits bound each account.
    package static let signUps = RateLimitPolicy(name: "sign-ups", quota: 50, window: .seconds(86_400))
}

/// The counters of ``UseCaseLimits``. All interfaces of a process share one set, so that a second interface is no
/// second quota.
struct UseCaseQuotas: Sendable {
    let guesses: RequestQuota
    let confirmations: RequestQuota
    let mails: RequestQuota
    let changes: RequestQuota
    let signUps: RequestQuota

    init(_ limits: UseCaseLimits) {
        guesses = RequestQuota(limits.guesses)
        confirmations = RequestQuota(limits.confirmations)
        mails = RequestQuota(limits.mails)
        changes = RequestQuota(limits.changes)
        signUps = RequestQuota(limits.signUps)
    }
}

/// A quota of requests is used up.
package struct QuotaRejection: Error, Hashable, Sendable {
    /// The name of the quota.
    package let name: String
    /// Seconds until the request is allowed.
    package let retryAfter: Int

    package init(name: String, retryAfter: Int) {
        (self.name, self.retryAfter) = (name, retryAfter)
    }
}

/// A quota of requests, for each account, client or address.
struct RequestQuota: Sendable {
    private let limiter: RateLimiter?

    /// - Parameter policy: nil for no limit.
    init(_ policy: RateLimitPolicy?) {
        limiter = policy.map { RateLimiter($0) }
    }

    /// Runs a request. If it fails, it does not count.
    /// - Parameter key: nil for a client without an address, as in tests without a socket.
    /// - Throws: ``QuotaRejection``; what the request throws.
    func counting<Value>(_ key: RateLimitKey?, _ request: () async throws -> Value) async throws -> Value {
        guard let limiter, let key else { return try await request() }
        try limiter.take(for: key)
        do {
            return try await request()
        } catch {
            limiter.giveBack(key, 1)
            throw error
        }
    }

    /// Runs a request that checks a password. It counts only if it fails because the password is wrong. It is counted
    /// before the check, so that simultaneous attempts cannot exceed the quota.
    /// - Parameter wrong: the error for a wrong password.
    /// - Throws: ``QuotaRejection``; what the request throws.
    func counting<Value, Wrong: Error & Equatable>(
        _ wrong: Wrong, _ key: RateLimitKey?, _ request: () async throws -> Value
    ) async throws -> Value {
        guard let limiter, let key else { return try await request() }
        try limiter.take(for: key)
        do {
            let value = try await request()
            limiter.giveBack(key, 1)
            return value
        } catch {
            if error as? Wrong != wrong { limiter.giveBack(key, 1) }
            throw error
        }
    }
}

extension RateLimiter {
    /// Takes one request from the quota of a key.
    /// - Throws: ``QuotaRejection``.
    fileprivate func take(for key: RateLimitKey) throws(QuotaRejection) {
        let decision = take(key)
        guard decision.isAllowed else { throw QuotaRejection(name: policy.name, retryAfter: decision.retryAfter) }
    }
}
