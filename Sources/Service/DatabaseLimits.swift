import EventLog
package import Postgres
import ReadModels

/// Limits of the service's use of the database.
package struct DatabaseLimits: Sendable {
    /// How long a statement may take; then its connection is closed.
    package var timeout: Duration = .seconds(10)
    /// How long a map may take; then the server interrupts it.
    package var mapTimeout: Duration = .seconds(10)
    /// The most maps computed at once. Four times as many requests may wait; further ones are rejected.
    package var maps = 4

    /// The defaults.
    package init() {}
}

extension PostgresPoolConfiguration {
    /// For requests: shared connections for short reads, exclusive ones for maps.
    package static func requests(_ limits: DatabaseLimits) -> PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration()
        configuration.sharedConnections = 4
        configuration.sharedStatementTimeout = limits.timeout / 2
        configuration.maximumWait = limits.timeout / 2
        configuration.exclusiveConnections = limits.maps
        configuration.exclusiveWaiters = limits.maps * 4
        configuration.exclusiveStatementTimeout = limits.mapTimeout
        return configuration
    }

    /// For projectors: an exclusive connection each, which no request can take.
    package static var projectors: PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration()
        configuration.sharedConnections = 1
        configuration.exclusiveConnections = ReadModel.all.count
        return configuration
    }
}
