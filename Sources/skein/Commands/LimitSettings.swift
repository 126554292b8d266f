import Service
import Web

/// The quotas and the limit of connections, from the environment.
struct LimitSettings: Sendable {
    var accounts: AccountLimits
    /// Requests of a client to public routes; nil for no limit.
    var client: RateLimitPolicy?
    /// Attempts of a client to sign up, log in or refresh; nil for no limit.
    var credentials: RateLimitPolicy?
    /// Requests of a client for mails, and attempts to use codes; nil for no limit.
    var recovery: RateLimitPolicy?
    /// What requests cause.
    var useCases = UseCaseLimits()
    /// Bytes of photos that a client may send, from all its accounts; nil for no limit.
    var photos: RateLimitPolicy?
    /// Sightings of an account in a day, before its address is verified; nil for no limit.
    var unverifiedSightings: Int?
    /// Connections of a client; nil for no limit.
    var clientConnections: Int?

    static let environmentHelp = """
              Where a setting is a limit, 0 means no limit.
              SKEIN_RATE_LIMITS   on or off: the limits down to SKEIN_CLIENT_CONNECTIONS (default: on)
              SKEIN_ACCOUNT_ITEMS, SKEIN_ACCOUNT_BYTES
                                  requests of an account and their bytes, a minute (default: \(usual(.accountItems)), \
        \(usual(.accountBytes)))
              SKEIN_KEY_ITEMS     requests of each API key, a minute (default: \(usual(.keyItems)))
              SKEIN_ACCOUNT_DAILY_WRITES, SKEIN_NEW_ACCOUNT_DAILY_WRITES
                                  requests that write, a day; in the first week (default: \(usual(.accountWrites)), \
        \(usual(.newcomerWrites)))
              SKEIN_UNVERIFIED_DAILY_SIGHTINGS
                                  sightings a day (UTC), until the address is verified (default: \
        \(usual(.unverifiedSightings)))
              SKEIN_MAILS_PER_HOUR
                                  mails on request, to an account or an address (default: \(usual(.mails)))
              SKEIN_RECOVERY_ATTEMPTS
                                  requests of a client for mails, or to use codes, a minute (default: \
        \(usual(.recoveryAttempts)))
              SKEIN_CLIENT_SIGN_UPS
                                  accounts that a client may sign up a day (default: \(usual(.clientSignUps)))
              SKEIN_CLIENT_PHOTO_BYTES
                                  bytes of photos that a client may send a day (default: \(usual(.clientPhotoBytes)))
              SKEIN_CLIENT_REQUESTS
                                  requests of a client to public routes, a minute (default: \(usual(.clientRequests)))
              SKEIN_CLIENT_CONNECTIONS
                                  connections of a client at once; without effect behind proxies (default: \
        \(usual(.clientConnections)))
              SKEIN_CREDENTIAL_ATTEMPTS
                                  attempts of a client to sign up, log in or refresh, a minute (default: \
        \(usual(.credentialAttempts)))
        """

    private static func usual(_ setting: NumberSetting) -> String { setting.usualText }

    /// - Throws: ``SettingError``.
    init(_ environment: Environment, trustedProxies: Int) throws {
        func policy(_ policy: RateLimitPolicy, _ setting: NumberSetting) throws -> RateLimitPolicy? {
            policy.with(quota: try environment.limit(of: setting) ?? 0)
        }
        let isOn = try Self.isOn(environment)
        accounts = try AccountLimits(environment)
        client = try policy(.client, .clientRequests)
        credentials = try policy(.credentials, .credentialAttempts)
        recovery = try policy(.recovery, .recoveryAttempts)
        useCases.mails = try policy(.mails, .mails)
        useCases.signUps = try policy(.signUps, .clientSignUps)
        photos = try policy(.photos, .clientPhotoBytes)
        unverifiedSightings = try environment.limit(of: .unverifiedSightings)
        let connections = try environment.limit(of: .clientConnections)
        clientConnections = trustedProxies > 0 ? nil : connections
        if !isOn {
            (accounts, client, clientConnections, photos) = (.none, nil, nil, nil)
            (useCases, recovery, unverifiedSightings) = (.none, nil, nil)
        }
        useCases.guesses = credentials == nil ? nil : .guesses
    }

    private static func isOn(_ environment: Environment) throws -> Bool {
        switch environment["SKEIN_RATE_LIMITS"] {
        case nil, "on": true
        case "off": false
        default: throw SettingError(setting: "SKEIN_RATE_LIMITS", rule: "must be on or off")
        }
    }
}

extension AccountLimits {
    /// - Throws: ``SettingError``.
    fileprivate init(_ environment: Environment) throws {
        func quota(_ setting: NumberSetting) throws -> Int { try environment.limit(of: setting) ?? 0 }
        self.init(
            items: try quota(.accountItems), bytes: try quota(.accountBytes), keyItems: try quota(.keyItems),
            dailyWrites: try quota(.accountWrites), newcomerWrites: try quota(.newcomerWrites))
    }
}

extension APISettings {
    init(_ listening: ListenSettings) {
        let limits = listening.limits
        self.init(
            accountLimits: limits.accounts, clientLimit: limits.client, credentialLimit: limits.credentials,
            recoveryLimit: limits.recovery, trustedProxies: listening.trustedProxies)
        (photoLimit, allowedOrigins) = (limits.photos, listening.allowedOrigins)
    }
}
