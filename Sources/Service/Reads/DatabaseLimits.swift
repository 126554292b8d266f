import EventLog
package import Postgres
import ReadModels

/// Limits of the service's use of the database.
package struct DatabaseLimits: Sendable {
    /// How long a statement may take; then its connection is closed.
    package var timeout: Duration = .seconds(10)
    /// How long a map may take; then the server interrupts it.
    package var mapTimeout: Duration = .seconds(10)
    /// The most maps computed at once. Four times as many requests may wait; of further ones some are rejected.
    package var maps = 4
    /// The most sequences of records sent at once. Each holds a connection and a snapshot for as long as its client
    /// reads.
    package var sequences = 4
    /// The most lists of all records sent at once. Each takes a connection for one statement after another.
    package var streams = 2
    /// The most lists of birders' own findings read at once. They may take long, and statements behind one of theirs
    /// wait: so fewer than there are shared connections, and all other requests have one at least.
    package var lists: Int { sharedConnections - 1 }
    /// The connections that all short statements share.
    package let sharedConnections = 4

    /// The defaults.
    package init() {}
}

extension DatabaseLimits {
    /// How long a request waits for its turn.
    private var longest: Duration { timeout / 2 }

    var mapTurns: TurnLimits {
        // So that no one client makes all others wait until its maps are done.
        TurnLimits(atOnce: maps, waiting: maps * 4, runningOfClient: max(1, maps / 2), longest: longest)
    }

    var sequenceTurns: TurnLimits {
        TurnLimits(atOnce: sequences, waiting: sequences * 4, runningOfClient: 1, longest: longest)
    }

    var streamTurns: TurnLimits {
        TurnLimits(atOnce: streams, waiting: streams * 4, runningOfClient: 1, longest: longest)
    }

    var listTurns: TurnLimits {
        TurnLimits(atOnce: lists, waiting: lists * 4, runningOfClient: lists - 1, longest: longest)
    }
}

extension PostgresPoolConfiguration {
    /// For requests: shared connections for short reads; exclusive ones for maps, sequences and streams, as many as may
    /// run, so that none waits for another.
    package static func requests(_ limits: DatabaseLimits) -> PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration()
        configuration.sharedConnections = limits.sharedConnections
        configuration.sharedStatementTimeout = limits.timeout / 2
        configuration.maximumWait = limits.timeout / 2
        configuration.exclusiveConnections = limits.maps + limits.sequences + limits.streams
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

    /// For the export that a process makes: it reads the next records while it writes others. Meanwhile, restrictions
    /// of other exports are looked for.
    package static var exports: PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration()
        (configuration.sharedConnections, configuration.exclusiveConnections) = (1, 3)
        configuration.exclusiveStatementTimeout = PostgresConfiguration.longestOfExports
        return configuration
    }
}

extension PostgresConfiguration {
    fileprivate static let longestOfExports: Duration = .seconds(300)

    /// For the statements of exports, which may take minutes.
    package var forExports: PostgresConfiguration {
        var configuration = self
        configuration.statementDeadline = max(statementDeadline, Self.longestOfExports * 2)
        return configuration
    }
}
