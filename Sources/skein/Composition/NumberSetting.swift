import PhotoStore
import Service
import Vault
import Web

/// A setting that is a number: its description, and the values that it may have.
struct NumberSetting: Sendable, CustomStringConvertible {
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

    let setting: Setting
    let rule: Rule

    /// - Parameters:
    ///   - unit: what it counts, as `meaning` names it; nil for a port.
    ///   - usual: the default in words, if it follows from other settings.
    init(
        _ name: String, flag: String? = nil, _ rule: Rule, _ unit: String?, usual: String = "", _ meaning: String,
        remarks: String = ""
    ) {
        self.rule = rule
        let range = rule.zero == .noLimit ? "" : ", \(rule.range.lowerBound) to \(rule.range.upperBound)"
        let zero =
            switch rule.zero {
            case .noLimit: ""
            case .other(let words): "; 0: \(words)"
            case .rejected: "; 0 is rejected"
            }
        setting = Setting(
            name, flag: flag, usual: rule.usual.map { "`\($0)`" } ?? usual, unit: unit, meaning + range,
            remarks: remarks, zero: zero)
    }

    /// The environment variable.
    var name: String { setting.name }

    var description: String { name }

    /// The values that it may have, in words.
    var violation: String {
        let range = "must be a number from \(rule.range.lowerBound) to \(rule.range.upperBound)"
        return switch rule.zero {
        case .noLimit: range + ", where 0 means no limit"
        case .other: range
        case .rejected: range + "; 0 is rejected"
        }
    }
}

// MARK: - The list

extension NumberSetting {
    /// All.
    static let all: [NumberSetting] =
        [.port, .operationsPort, .databaseTimeout, .mapTimeout, .maps, .trustedProxies] + rateLimits
        + [.credentialAttempts] + photoLimits + [.webPBytes] + exportLimits

    /// Those that `SKEIN_RATE_LIMITS=off` disables.
    static let rateLimits: [NumberSetting] = [
        .accountItems, .accountBytes, .keyItems, .accountWrites, .newcomerWrites, .unverifiedSightings, .mails,
        .recoveryAttempts, .clientRequests, .clientConnections, .clientSignUps, .clientPhotoBytes,
    ]

    /// Those of photos: what accounts may send, and what the disk must keep free.
    static let photoLimits: [NumberSetting] = [
        .photos, .photoBytes, .unverifiedPhotoBytes, .unfinishedBytes, .diskReserve,
    ]

    /// Those of exports.
    static let exportLimits: [NumberSetting] = [
        .unfinishedExports, .exportsPerDay, .unverifiedExports, .waitingExports, .remakes, .exportTime,
        .exportFileBytes, .exportBytes,
    ]

    static let port = NumberSetting(
        "SKEIN_PORT", flag: "--port", Rule(range: 0...65_535, usual: 8080, zero: .other("any free port")), nil,
        "the port that `serve` listens on")
    static let operationsPort = NumberSetting(
        "SKEIN_OPERATIONS_PORT", flag: "--operations-port",
        Rule(range: 0...65_535, usual: nil, zero: .other("any free port")), nil, usual: "the port + 1",
        "the port of the operations listener")
    static let databaseTimeout = NumberSetting(
        "SKEIN_DATABASE_TIMEOUT", .atLeastOne(to: 600, seconds(\.timeout)), "seconds",
        "[seconds that a statement may take](#a-database-that-does-not-answer)")
    static let mapTimeout = NumberSetting(
        "SKEIN_MAP_TIMEOUT", .atLeastOne(to: 600, seconds(\.mapTimeout)), "seconds",
        "[seconds that a map may take](#a-database-that-does-not-answer)", remarks: ", then 503 with `Retry-After`")
    static let maps = NumberSetting(
        "SKEIN_MAPS", .atLeastOne(to: 100, DatabaseLimits().maps), "maps", "maps that are computed at once",
        remarks: """
            , at most half of them for one client; four times as many requests may wait ([turns](#turns)), further \
            ones get 503 with `Retry-After`
            """)
    static let trustedProxies = NumberSetting(
        "SKEIN_TRUSTED_PROXIES", Rule(range: 0...9, usual: 0, zero: .other("no proxies")), "proxies",
        "the number of your own reverse proxies in front of Skein",
        remarks: "; that many hops at the end of `X-Forwarded-For` are trusted")
}

// MARK: - Limits of accounts and clients

extension NumberSetting {
    static let accountItems = NumberSetting(
        "SKEIN_ACCOUNT_ITEMS", .limit(AccountLimits().items), "requests", "requests per account per minute",
        remarks: "; a batch counts as its items")
    static let accountBytes = NumberSetting(
        "SKEIN_ACCOUNT_BYTES", .bytes(AccountLimits().bytes), "bytes", "bytes of request bodies per account per minute")
    static let keyItems = NumberSetting(
        "SKEIN_KEY_ITEMS", .limit(AccountLimits().keyItems), "requests", "requests per API key per minute",
        remarks: ", which count for its account, too")
    static let accountWrites = NumberSetting(
        "SKEIN_ACCOUNT_DAILY_WRITES", .limit(AccountLimits().dailyWrites), "requests",
        "requests that write, per account per day", remarks: "; a batch counts as its items")
    static let newcomerWrites = NumberSetting(
        "SKEIN_NEW_ACCOUNT_DAILY_WRITES", .limit(AccountLimits().newcomerWrites), "requests",
        "requests that write, per account per day in its first week")
    static let unverifiedSightings = NumberSetting(
        "SKEIN_UNVERIFIED_DAILY_SIGHTINGS", .limit(20), "sightings",
        "sightings per account per day (UTC) before its address is verified")
    static let mails = NumberSetting(
        "SKEIN_MAILS_PER_HOUR", .limit(RateLimitPolicy.mails.quota), "mails",
        "mails on request, per account and per address, per hour", remarks: "; also counted separately by each process")
    static let recoveryAttempts = NumberSetting(
        "SKEIN_RECOVERY_ATTEMPTS", .limit(RateLimitPolicy.recovery.quota), "requests",
        "requests per client per minute that ask for a mail without a token, or present a code")
    static let clientRequests = NumberSetting(
        "SKEIN_CLIENT_REQUESTS", .limit(RateLimitPolicy.client.quota), "requests",
        "requests per client per minute to public routes")
    static let clientConnections = NumberSetting(
        "SKEIN_CLIENT_CONNECTIONS", .limit(64), "connections",
        "simultaneous connections per client; without effect if there are trusted proxies")
    static let clientSignUps = NumberSetting(
        "SKEIN_CLIENT_SIGN_UPS", .limit(RateLimitPolicy.signUps.quota), "accounts",
        "accounts that a client may sign up per day")
    static let clientPhotoBytes = NumberSetting(
        "SKEIN_CLIENT_PHOTO_BYTES", .bytes(RateLimitPolicy.photos.quota), "bytes",
        "bytes of photos per client per day, from all its accounts")
    static let credentialAttempts = NumberSetting(
        "SKEIN_CREDENTIAL_ATTEMPTS", .limit(RateLimitPolicy.credentials.quota), "attempts",
        "attempts per client per minute to sign up, log in or refresh",
        remarks: """
            ; without this limit, wrong passwords for an account (\(RateLimitPolicy.guesses.quota) in 15 minutes) are \
            not limited either
            """)
}

// MARK: - Photos

extension NumberSetting {
    static let photos = NumberSetting(
        "SKEIN_PHOTOS_PER_DAY", .limit(PhotoQuotas.Limits().photos), "photos", "photos per account per day (UTC)",
        remarks: "; they count [as soon as they begin to arrive](limits.md#photos)")
    static let photoBytes = NumberSetting(
        "SKEIN_PHOTO_BYTES_PER_DAY", .bytes(PhotoQuotas.Limits().bytes), "bytes",
        "bytes of photos per account per day (UTC)")
    static let unverifiedPhotoBytes = NumberSetting(
        "SKEIN_UNVERIFIED_DAILY_PHOTO_BYTES", .bytes(PhotoQuotas.Limits().unverifiedBytes), "bytes",
        "bytes of photos per account per day (UTC) before its address is verified")
    static let unfinishedBytes = NumberSetting(
        "SKEIN_UNFINISHED_UPLOAD_BYTES", .bytes(PhotoQuotas.Limits().unfinishedBytes), "bytes",
        "bytes of the unfinished uploads of all accounts together")
    static let diskReserve = NumberSetting(
        "SKEIN_DISK_RESERVE", .bytes(2_000_000_000), "bytes",
        "bytes that photos and exports must leave free [on the disk](#a-disk-that-fills-up)")
    static let webPBytes = NumberSetting(
        "SKEIN_WEBP_CACHE_BYTES",
        Rule(
            range: 0...1_000_000_000_000, usual: ConversionCache.Settings(folder: "").bytes,
            zero: .other("clients get JPEGs only")),
        "bytes", "bytes of [the WebPs in the data directory](#photos)")

    private static func seconds(_ limit: KeyPath<DatabaseLimits, Duration>) -> Int {
        Int(DatabaseLimits()[keyPath: limit].components.seconds)
    }
}

// MARK: - Exports

extension NumberSetting {
    static let unfinishedExports = NumberSetting(
        "SKEIN_UNFINISHED_EXPORTS", .limit(ExportSettings.Limits().unfinished), "exports",
        "exports that an account may wait for")
    static let exportsPerDay = NumberSetting(
        "SKEIN_EXPORTS_PER_DAY", .limit(ExportSettings.Limits().perDay), "exports",
        "exports per account per day (UTC)", remarks: "; those that others have asked for before do not count")
    static let unverifiedExports = NumberSetting(
        "SKEIN_UNVERIFIED_DAILY_EXPORTS", .limit(ExportSettings.Limits().unverifiedPerDay), "exports",
        "exports per account per day (UTC) before its address is verified")
    static let waitingExports = NumberSetting(
        "SKEIN_WAITING_EXPORTS", .limit(ExportSettings.Limits().waiting), "exports",
        "exports that may wait to be made; further ones get 503 with `Retry-After`")
    static let remakes = NumberSetting(
        "SKEIN_WAITING_REMAKES", .limit(ExportSettings.Limits().remakes), "exports",
        "exports that may wait to be made again; further downloads get 503 with `Retry-After`")
    static let exportTime = NumberSetting(
        "SKEIN_EXPORT_TIME", .limit(ExportSettings.Limits().duration.map { Int($0.components.seconds) }), "seconds",
        "seconds that an export may take")
    static let exportFileBytes = NumberSetting(
        "SKEIN_EXPORT_FILE_BYTES", .bytes(ExportSettings.Limits().bytes), "bytes", "bytes of one export")
    static let exportBytes = NumberSetting(
        "SKEIN_EXPORT_BYTES", .bytes(20_000_000_000), "bytes",
        "bytes of all exports in the store", remarks: "; those that were read least recently leave first")
}

extension NumberSetting.Rule {
    /// A limit of items; 0 means no limit.
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
        guard let text = self[setting.setting] else { return setting.rule.usual }
        guard let number = Int(text), setting.rule.range.contains(number) else {
            throw SettingError(setting.setting, setting.violation)
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
