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

    /// How to connect within these limits.
    func configuration(_ url: String) throws(PostgresError) -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url)
        (configuration.statementDeadline, configuration.connectTimeout) = (timeout, timeout)
        return configuration
    }
}
