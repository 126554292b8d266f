/// How many connections a pool has and how patient it is.
package struct PostgresPoolConfiguration: Sendable {
    /// Connections that many tasks share, for short statements.
    package var sharedConnections = 4
    /// Connections for one task at a time, opened when first needed.
    package var exclusiveConnections = 4
    /// After this time the server interrupts a statement on a shared connection, for the sake of those behind it.
    package var sharedStatementTimeout: Duration = .seconds(5)
    /// How long a task may wait for a connection, and a statement to be sent.
    package var maximumWait: Duration = .seconds(5)
    /// How long an exclusive connection may take to come to rest after it was told to stop; then it is closed.
    package var cancelGrace: Duration = .seconds(2)
    /// How long `shutdown` waits for work under way.
    package var shutdownGrace: Duration = .seconds(10)

    /// The defaults.
    package init() {}
}

/// What a pool is doing, for metrics and readiness.
package struct PostgresPoolSnapshot: Sendable, Hashable {
    /// Shared connections that are up.
    package var sharedUp = 0
    /// Statements on shared connections that are not answered yet.
    package var sharedLoad = 0
    /// Tasks that wait because no shared connection is up.
    package var sharedWaiting = 0
    /// Exclusive connections in use or being opened.
    package var exclusiveTaken = 0
    /// Exclusive connections that are open and free.
    package var exclusiveIdle = 0
    /// Tasks that wait for an exclusive connection.
    package var exclusiveWaiting = 0
    /// Connections made since the start.
    package var connectionsMade = 0
    /// Attempts to connect that failed since the start.
    package var connectionFailures = 0
    /// Requests refused because the wait was too long, since the start.
    package var timeouts = 0
    /// Times the server was told to stop what an exclusive connection was doing, since the start.
    package var cancellations = 0
}
