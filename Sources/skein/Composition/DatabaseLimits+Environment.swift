import Postgres
import Service

extension DatabaseLimits {
    /// The limits that the environment sets.
    /// - Throws: ``SettingError``.
    init(_ environment: Environment) throws {
        self.init()
        timeout = try environment.value(of: .databaseTimeout).map { .seconds($0) } ?? timeout
        mapTimeout = try environment.value(of: .mapTimeout).map { .seconds($0) } ?? mapTimeout
        maps = try environment.value(of: .maps) ?? maps
    }

    static let timeoutHelp = "seconds that a statement may take, 1 to 600 (default: \(usual(.databaseTimeout)))"
    static let mapTimeoutHelp = "seconds that a map may take, 1 to 600 (default: \(usual(.mapTimeout)))"
    static let mapsHelp = "maps at once, 1 to 100; four times as many may wait (default: \(usual(.maps)))"

    private static func usual(_ setting: NumberSetting) -> String { setting.usualText }

    /// How to connect within these limits.
    func configuration(_ url: String) throws(PostgresError) -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url)
        (configuration.statementDeadline, configuration.connectTimeout) = (timeout, timeout)
        return configuration
    }
}
