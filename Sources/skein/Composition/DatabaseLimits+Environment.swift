import Postgres
import Service

extension DatabaseLimits {
    /// The limits that the environment sets.
    /// - Throws: ``SettingError``.
    init(_ environment: Environment) throws {
        self.init()
        timeout = try environment.number("SKEIN_DATABASE_TIMEOUT", in: 1...600).map { .seconds($0) } ?? timeout
        mapTimeout = try environment.number("SKEIN_MAP_TIMEOUT", in: 1...600).map { .seconds($0) } ?? mapTimeout
        maps = try environment.number("SKEIN_MAPS", in: 1...100) ?? maps
    }

    static let timeoutHelp = "seconds that a statement may take, 1 to 600 (default: \(seconds(\.timeout)))"
    static let mapTimeoutHelp = "seconds that a map may take, 1 to 600 (default: \(seconds(\.mapTimeout)))"
    static let mapsHelp = "maps at once, 1 to 100; four times as many may wait (default: \(DatabaseLimits().maps))"

    private static func seconds(_ limit: KeyPath<DatabaseLimits, Duration>) -> Int64 {
        DatabaseLimits()[keyPath: limit].components.seconds
    }

    /// How to connect within these limits.
    func configuration(_ url: String) throws(PostgresError) -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url)
        (configuration.statementDeadline, configuration.connectTimeout) = (timeout, timeout)
        return configuration
    }
}
