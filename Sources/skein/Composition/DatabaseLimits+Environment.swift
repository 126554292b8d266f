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

    /// How to connect within these limits.
    func configuration(_ url: String) throws(PostgresError) -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url)
        (configuration.statementDeadline, configuration.connectTimeout) = (timeout, timeout)
        return configuration
    }
}
