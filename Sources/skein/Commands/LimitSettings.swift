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
    /// Quotas of use cases.
    var useCases = UseCaseLimits()
    /// Bytes of photos that a client may send, from all its accounts; nil for no limit.
    var photos: RateLimitPolicy?
    /// Sightings of an account in a day, before its address is verified; nil for no limit.
    var unverifiedSightings: Int?
    /// Connections of a client; nil for no limit.
    var clientConnections: Int?

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
        switch environment[.rateLimits] {
        case nil, "on": true
        case "off": false
        default: throw SettingError(.rateLimits, "must be on or off")
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
