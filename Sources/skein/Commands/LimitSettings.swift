import WebAPI

/// The quotas and the limit of connections, from the environment.
struct LimitSettings: Sendable {
    var accounts: AccountLimits
    /// Requests of a client to public routes; nil for no limit.
    var client: RateLimitPolicy?
    /// Attempts of a client to sign up, log in or refresh; nil for no limit.
    var credentials: RateLimitPolicy?
    /// Requests of a client for mails, and attempts to use codes; nil for no limit.
    var recovery: RateLimitPolicy?
    /// Mails to an account or an address, on request; nil for no limit.
    var mails: RateLimitPolicy?
    /// Wrong passwords with which a signed-in account confirms requests; nil for no limit.
    var confirmations: RateLimitPolicy? = .guesses
    /// Changes of an account by its owner; nil for no limit.
    var changes: RateLimitPolicy? = .changes
    /// Sightings of an account in a day, before its address is verified; nil for no limit.
    var unverifiedSightings: Int?
    /// Connections of a client; nil for no limit.
    var clientConnections: Int?

    private static let usual = (accounts: AccountLimits(), clientConnections: 64, unverifiedSightings: 20)

    static let environmentHelp = """
              SKEIN_RATE_LIMITS   on or off: the quotas below, but for attempts to log in (default: on)
              SKEIN_ACCOUNT_ITEMS, SKEIN_ACCOUNT_BYTES
                                  of an account's requests, a minute (default: \(usual.accounts.items), \
        \(usual.accounts.bytes))
              SKEIN_KEY_ITEMS     of each API key's requests, a minute (default: \(usual.accounts.keyItems))
              SKEIN_ACCOUNT_DAILY_WRITES, SKEIN_NEW_ACCOUNT_DAILY_WRITES
                                  a day; in its first week (default: \(usual.accounts.dailyWrites), \
        \(usual.accounts.newcomerWrites))
              SKEIN_UNVERIFIED_DAILY_SIGHTINGS
                                  sightings a day (UTC), before its address is verified (default: \
        \(usual.unverifiedSightings))
              SKEIN_MAILS_PER_HOUR
                                  mails on request, to an account or an address (default: \
        \(RateLimitPolicy.mails.quota))
              SKEIN_RECOVERY_ATTEMPTS
                                  to ask for a mail or use a code, of a client, a minute (default: \
        \(RateLimitPolicy.recovery.quota))
              SKEIN_CLIENT_REQUESTS
                                  without a token, of a client, a minute (default: \(RateLimitPolicy.client.quota))
              SKEIN_CLIENT_CONNECTIONS
                                  of a client, at once; without effect behind proxies (default: \
        \(usual.clientConnections))
              SKEIN_CREDENTIAL_ATTEMPTS
                                  to sign up, log in or refresh, of a client, a minute; 0 for any number (default: \
        \(RateLimitPolicy.credentials.quota))
        """

    /// - Throws: ``SettingError``.
    init(_ environment: Environment, trustedProxies: Int) throws {
        let isOn = try Self.isOn(environment)
        func quota(_ name: String, _ usual: Int) throws -> Int {
            let rule = "must be a number from 0 to 1000000000"
            return try environment.number(name, in: 0...1_000_000_000, rule: rule) ?? usual
        }
        accounts = Self.usual.accounts
        accounts.items = try quota("SKEIN_ACCOUNT_ITEMS", accounts.items)
        accounts.bytes = try quota("SKEIN_ACCOUNT_BYTES", accounts.bytes)
        accounts.keyItems = try quota("SKEIN_KEY_ITEMS", accounts.keyItems)
        accounts.dailyWrites = try quota("SKEIN_ACCOUNT_DAILY_WRITES", accounts.dailyWrites)
        accounts.newcomerWrites = try quota("SKEIN_NEW_ACCOUNT_DAILY_WRITES", accounts.newcomerWrites)
        client = RateLimitPolicy.client.with(quota: try quota("SKEIN_CLIENT_REQUESTS", RateLimitPolicy.client.quota))
        credentials = RateLimitPolicy.credentials.with(
            quota: try quota("SKEIN_CREDENTIAL_ATTEMPTS", RateLimitPolicy.credentials.quota))
        recovery = RateLimitPolicy.recovery.with(
            quota: try quota("SKEIN_RECOVERY_ATTEMPTS", RateLimitPolicy.recovery.quota))
        mails = RateLimitPolicy.mails.with(quota: try quota("SKEIN_MAILS_PER_HOUR", RateLimitPolicy.mails.quota))
        let sightings = try quota("SKEIN_UNVERIFIED_DAILY_SIGHTINGS", Self.usual.unverifiedSightings)
        unverifiedSightings = sightings == 0 ? nil : sightings
        let connections = try quota("SKEIN_CLIENT_CONNECTIONS", Self.usual.clientConnections)
        clientConnections = trustedProxies > 0 || connections == 0 ? nil : connections
        if !isOn {
            (accounts, client, clientConnections) = (.none, nil, nil)
            (recovery, mails, confirmations, changes, unverifiedSightings) = (nil, nil, nil, nil, nil)
        }
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
        let limits = listening.limits
        self.init(
            accountLimits: limits.accounts, clientLimit: limits.client, credentialLimit: limits.credentials,
            guessLimit: limits.credentials == nil ? nil : .guesses, recoveryLimit: limits.recovery,
            mailLimit: limits.mails, confirmationLimit: limits.confirmations, trustedProxies: listening.trustedProxies)
        changeLimit = limits.changes
        allowedOrigins = listening.allowedOrigins
    }
}
