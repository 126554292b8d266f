import AsyncHTTPClient
import EventLog
import Logging
import NIOCore
import Postgres

/// This process's own connections: an appender beside those of the services, a pool for readers, and HTTP.
struct Connections: Sendable {
    let appender: Appender
    let head = HeadSignal()
    let pool: PostgresPool
    let http: HTTPClient

    init(_ database: PostgresConfiguration) {
        // Short timeouts, so that a stopped server makes some outcomes unknown.
        appender = Appender(
            configuration: database, limits: AppendLimits { $0.timeout = .seconds(1) }, head: head, logger: .silent)
        var sizes = PostgresPoolConfiguration()
        (sizes.sharedConnections, sizes.exclusiveConnections) = (2, 2)
        sizes.sharedStatementTimeout = .seconds(30)
        pool = PostgresPool(database, sizes, logger: .silent)
        var settings = HTTPClient.Configuration()
        settings.httpVersion = .http1Only
        settings.timeout.connect = .milliseconds(1_000)
        // The clients decide what to retry, and where.
        settings.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }
}
