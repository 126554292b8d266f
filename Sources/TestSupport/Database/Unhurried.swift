package import Postgres

extension PostgresConfiguration {
    /// Statements and connecting may take as long as only a hang takes: dropping a database waits for every backend of
    /// the server, and a busy machine needs many seconds to install an extension.
    package static func unhurried(_ url: String) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url)
        (configuration.statementDeadline, configuration.connectTimeout) = (Hang.deadline, Hang.deadline)
        return configuration
    }
}

extension PostgresPoolConfiguration {
    /// The same with time limits that only a hang reaches.
    package var unhurried: PostgresPoolConfiguration {
        var configuration = self
        (configuration.maximumWait, configuration.sharedStatementTimeout) = (Hang.deadline, Hang.deadline)
        return configuration
    }
}
