import WebAPI

/// The quotas and the limit of connections, from the environment.
struct LimitSettings: Sendable {
    /// Of each account.
    var accounts: AccountLimits
    /// Requests of a client without a token, a minute; nil for no limit.
    var clientRequests: Int?
    /// Attempts of a client to sign up or log in, a minute; nil for no limit.
    var credentialAttempts: Int?
    /// Connections of a client; nil for no limit.
    var clientConnections: Int?

    static let environmentHelp = """
              SKEIN_RATE_LIMITS   on or off: the quotas below, but for attempts to log in (default: on)
              SKEIN_ACCOUNT_ITEMS, SKEIN_ACCOUNT_BYTES
                                  of an account's requests, a minute (default: 600, 10000000)
              SKEIN_ACCOUNT_DAILY_WRITES, SKEIN_NEW_ACCOUNT_DAILY_WRITES
                                  a day; in its first week (default: 20000, 2000)
              SKEIN_CLIENT_REQUESTS
                                  without a token, of a client, a minute (default: 600)
              SKEIN_CLIENT_CONNECTIONS
                                  of a client, at once; without effect behind proxies (default: 64)
              SKEIN_CREDENTIAL_ATTEMPTS
                                  to sign up, log in or refresh, of a client, a minute; 0 for any number (default: 20)
        """

    /// - Throws: ``SettingError``.
    init(_ environment: Environment, trustedProxies: Int) throws {
        let isOn = try Self.isOn(environment)
        func quota(_ name: String, _ usual: Int) throws -> Int? {
            let rule = "must be a number from 0 to 1000000000"
            let quota = try environment.number(name, in: 0...1_000_000_000, rule: rule) ?? usual
            return quota == 0 ? nil : quota
        }
        accounts = AccountLimits(
            items: try quota("SKEIN_ACCOUNT_ITEMS", 600), bytes: try quota("SKEIN_ACCOUNT_BYTES", 10_000_000),
            dailyWrites: try quota("SKEIN_ACCOUNT_DAILY_WRITES", 20_000),
            newcomerWrites: try quota("SKEIN_NEW_ACCOUNT_DAILY_WRITES", 2_000))
        clientRequests = try quota("SKEIN_CLIENT_REQUESTS", 600)
        credentialAttempts = try quota("SKEIN_CREDENTIAL_ATTEMPTS", 20)
        clientConnections = trustedProxies > 0 ? nil : try quota("SKEIN_CLIENT_CONNECTIONS", 64)
        if !isOn { (accounts, clientRequests, clientConnections) = (.none, nil, nil) }
    }

    private static func isOn(_ environment: Environment) throws -> Bool {
        switch environment["SKEIN_RATE_LIMITS"] {
        case nil, "on": true
        case "off": false
        default: throw SettingError(setting: "SKEIN_RATE_LIMITS", rule: "must be on or off")
        }
    }
}

extension APISettings {
    init(_ listening: ListenSettings) {
        func policy(_ name: String, _ quota: Int?, _ window: Duration = .seconds(60)) -> RateLimitPolicy? {
            quota.map { RateLimitPolicy(name: name, quota: $0, window: window) }
        }
        let limits = listening.limits
        self.init(
            accountLimits: limits.accounts, clientLimit: policy("client", limits.clientRequests),
            credentialLimit: policy("credentials", limits.credentialAttempts),
            guessLimit: limits.credentialAttempts.map { _ in Self.guesses }, trustedProxies: listening.trustedProxies)
        allowedOrigins = listening.allowedOrigins
    }
}
