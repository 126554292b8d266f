import PhotoStore
import Service
import Vault
import Web

/// The settings that are numbers: the table from which they are read, and with which tests compare the documentation.
enum NumberSetting: String, CaseIterable, Sendable {
    case port = "SKEIN_PORT"
    case operationsPort = "SKEIN_OPERATIONS_PORT"
    case databaseTimeout = "SKEIN_DATABASE_TIMEOUT"
    case mapTimeout = "SKEIN_MAP_TIMEOUT"
    case maps = "SKEIN_MAPS"
    case trustedProxies = "SKEIN_TRUSTED_PROXIES"
    case accountItems = "SKEIN_ACCOUNT_ITEMS"
    case accountBytes = "SKEIN_ACCOUNT_BYTES"
    case keyItems = "SKEIN_KEY_ITEMS"
    case accountWrites = "SKEIN_ACCOUNT_DAILY_WRITES"
    case newcomerWrites = "SKEIN_NEW_ACCOUNT_DAILY_WRITES"
    case unverifiedSightings = "SKEIN_UNVERIFIED_DAILY_SIGHTINGS"
    case mails = "SKEIN_MAILS_PER_HOUR"
    case recoveryAttempts = "SKEIN_RECOVERY_ATTEMPTS"
    case credentialAttempts = "SKEIN_CREDENTIAL_ATTEMPTS"
    case clientSignUps = "SKEIN_CLIENT_SIGN_UPS"
    case clientRequests = "SKEIN_CLIENT_REQUESTS"
    case clientConnections = "SKEIN_CLIENT_CONNECTIONS"
    case clientPhotoBytes = "SKEIN_CLIENT_PHOTO_BYTES"
    case photos = "SKEIN_PHOTOS_PER_DAY"
    case photoBytes = "SKEIN_PHOTO_BYTES_PER_DAY"
    case unverifiedPhotoBytes = "SKEIN_UNVERIFIED_DAILY_PHOTO_BYTES"
    case unfinishedBytes = "SKEIN_UNFINISHED_UPLOAD_BYTES"
    case diskReserve = "SKEIN_DISK_RESERVE"
    case webPBytes = "SKEIN_WEBP_CACHE_BYTES"

    /// The meaning of 0.
    enum Zero: Hashable, Sendable {
        case noLimit
        case other(String)
        /// It is outside the range.
        case rejected
    }

    /// The values that a setting may have.
    struct Rule: Sendable {
        var range: ClosedRange<Int>
        /// The default; nil if it follows from other settings.
        var usual: Int?
        var zero: Zero
    }

    var rule: Rule {
        switch self {
        case .port: Rule(range: 0...65_535, usual: 8080, zero: .other("any free port"))
        case .operationsPort: Rule(range: 0...65_535, usual: nil, zero: .other("any free port"))
        case .databaseTimeout: .atLeastOne(to: 600, Self.seconds(\.timeout))
        case .mapTimeout: .atLeastOne(to: 600, Self.seconds(\.mapTimeout))
        case .maps: .atLeastOne(to: 100, DatabaseLimits().maps)
        case .trustedProxies: Rule(range: 0...9, usual: 0, zero: .other("no proxies"))
        case .accountItems: .limit(AccountLimits().items)
        case .accountBytes: .bytes(AccountLimits().bytes)
        case .keyItems: .limit(AccountLimits().keyItems)
        case .accountWrites: .limit(AccountLimits().dailyWrites)
        case .newcomerWrites: .limit(AccountLimits().newcomerWrites)
        case .unverifiedSightings: .limit(20)
        case .mails: .limit(RateLimitPolicy.mails.quota)
        case .recoveryAttempts: .limit(RateLimitPolicy.recovery.quota)
        case .credentialAttempts: .limit(RateLimitPolicy.credentials.quota)
        case .clientSignUps: .limit(RateLimitPolicy.signUps.quota)
        case .clientRequests: .limit(RateLimitPolicy.client.quota)
        case .clientConnections: .limit(64)
        case .clientPhotoBytes: .bytes(RateLimitPolicy.photos.quota)
        case .photos: .limit(PhotoQuotas.Limits().photos)
        case .photoBytes: .bytes(PhotoQuotas.Limits().bytes)
        case .unverifiedPhotoBytes: .bytes(PhotoQuotas.Limits().unverifiedBytes)
        case .unfinishedBytes: .bytes(PhotoQuotas.Limits().unfinishedBytes)
        case .diskReserve: .bytes(2_000_000_000)
        case .webPBytes:
            Rule(
                range: 0...1_000_000_000_000, usual: ConversionCache.Settings(folder: "").bytes,
                zero: .other("clients get JPEGs only"))
        }
    }

    /// The values that it may have, in words.
    var violation: String {
        let range = "must be a number from \(rule.range.lowerBound) to \(rule.range.upperBound)"
        return switch rule.zero {
        case .noLimit: range + ", where 0 means no limit"
        case .other: range
        case .rejected: range + "; it cannot be without limit"
        }
    }

    /// The default, for lists of settings.
    var usualText: String { rule.usual.map(String.init) ?? "" }

    private static func seconds(_ limit: KeyPath<DatabaseLimits, Duration>) -> Int {
        Int(DatabaseLimits()[keyPath: limit].components.seconds)
    }
}

extension NumberSetting.Rule {
    /// A limit of a number; 0 means no limit.
    fileprivate static func limit(_ usual: Int?) -> Self {
        Self(range: 0...1_000_000_000, usual: usual ?? 0, zero: .noLimit)
    }

    /// A limit of bytes; 0 means no limit.
    fileprivate static func bytes(_ usual: Int?) -> Self {
        Self(range: 0...1_000_000_000_000_000, usual: usual ?? 0, zero: .noLimit)
    }

    /// A number that must not be 0.
    fileprivate static func atLeastOne(to most: Int, _ usual: Int) -> Self {
        Self(range: 1...most, usual: usual, zero: .rejected)
    }
}

extension Environment {
    /// The number that a setting has.
    /// - Throws: ``SettingError``.
    func value(of setting: NumberSetting) throws -> Int? {
        guard let text = self[setting.rawValue] else { return setting.rule.usual }
        guard let number = Int(text), setting.rule.range.contains(number) else {
            throw SettingError(setting: setting.rawValue, rule: setting.violation)
        }
        return number
    }

    /// The limit that a setting has; nil for no limit.
    /// - Throws: ``SettingError``.
    func limit(of setting: NumberSetting) throws -> Int? {
        let value = try value(of: setting)
        return value == 0 && setting.rule.zero == .noLimit ? nil : value
    }
}
