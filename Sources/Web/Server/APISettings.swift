package import Service

/// The operator's settings of the HTTP interface. ``UseCaseLimits`` are those of use cases.
package struct APISettings: Sendable {
    /// The quotas of one account.
    package var accountLimits: AccountLimits
    /// The quota of one client on public routes; nil for no limit.
    package var clientLimit: RateLimitPolicy?
    /// How often one client may try to sign up, log in or refresh; nil for no limit.
    package var credentialLimit: RateLimitPolicy?
    /// How often one client may ask for a mail or present a code; nil for no limit.
    package var recoveryLimit: RateLimitPolicy?
    /// How many bytes of photos one client may send; nil for no limit.
    package var photoLimit: RateLimitPolicy? = .photos
    /// The number of the operator's own proxies in front of the service.
    package var trustedProxies: Int
    /// The origins whose pages may use the service from a browser; nil for none but its own.
    package var allowedOrigins: AllowedOrigins?

    /// Sets what differs from the defaults.
    package init(
        accountLimits: AccountLimits = AccountLimits(),
        clientLimit: RateLimitPolicy? = .client, credentialLimit: RateLimitPolicy? = .credentials,
        recoveryLimit: RateLimitPolicy? = .recovery, trustedProxies: Int = 0
    ) {
        self.accountLimits = accountLimits
        self.clientLimit = clientLimit
        self.credentialLimit = credentialLimit
        self.recoveryLimit = recoveryLimit
        self.trustedProxies = trustedProxies
    }
}

extension RateLimitPolicy {
    /// Requests of a client to public routes.
    package static let client = RateLimitPolicy(name: "client", quota: 600, window: .seconds(60))
    /// Attempts of a client to sign up, log in or refresh.
    package static let credentials = RateLimitPolicy(name: "credentials", quota: 20, window: .seconds(60))
    /// Requests of a client for mails, and attempts to use codes.
    package static let recovery = RateLimitPolicy(name: "recovery", quota: 20, window: .seconds(60))
    /// Bytes of photos that a client sends, from all its accounts.
    package static let photos = RateLimitPolicy(
        name: "photos", .bytes, quota: 5_000_000_000, window: .seconds(86_400))
}

/// The quotas of one account; 0 for no limit.
package struct AccountLimits: Sendable {
    /// Requests a minute; a batch counts as its items.
    package var items: Int
    /// Bytes of bodies a minute.
    package var bytes: Int
    /// Requests of each of its API keys, a minute; a batch counts as its items.
    package var keyItems: Int
    /// Requests that write, a day; a batch counts as its items.
    package var dailyWrites: Int
    /// The same for an account in its first week.
    package var newcomerWrites: Int

    package init(
        items: Int = 600, bytes: Int = 10_000_000, keyItems: Int = 300, dailyWrites: Int = 20_000,
        newcomerWrites: Int = 2_000
    ) {
        self.items = items
        self.bytes = bytes
        self.keyItems = keyItems
        self.dailyWrites = dailyWrites
        self.newcomerWrites = newcomerWrites
    }

    /// No limits.
    package static let none = AccountLimits(items: 0, bytes: 0, keyItems: 0, dailyWrites: 0, newcomerWrites: 0)

    /// The middleware that applies the limits; nil for none.
    /// - Parameters:
    ///   - photos: the quota of bytes of photos that a client sends; nil for no limit.
    ///   - photoRoutes: the names of routes whose bytes count towards that quota only.
    func limiting(
        _ addressing: ClientAddressing, photos: RateLimitPolicy? = nil, photoRoutes: Set<String> = []
    ) -> RateLimiting? {
        func limiter(_ name: String, _ unit: RateLimitPolicy.Unit, _ quota: Int, _ window: Duration) -> [RateLimiter] {
            quota > 0 ? [RateLimiter(RateLimitPolicy(name: name, unit, quota: quota, window: window))] : []
        }
        let minute = limiter("account", .items, items, .seconds(60)) + limiter("bytes", .bytes, bytes, .seconds(60))
        let day = limiter("daily", .writes, dailyWrites, .seconds(86_400))
        let firstDays = limiter("daily", .writes, newcomerWrites, .seconds(86_400))
        let key = limiter("key", .items, keyItems, .seconds(60))
        if minute.isEmpty, day.isEmpty, firstDays.isEmpty, key.isEmpty, photos == nil { return nil }
        return RateLimiting(
            minute + day, newcomers: minute + firstDays, keys: key, photos: photos.map { RateLimiter($0) },
            addressing: addressing, photoRoutes: photoRoutes)
    }
}
