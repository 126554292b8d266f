package import Postgres

/// The meaning of a failed call of `log.append`. The one place that reads its SQLSTATEs.
enum AppendFailure: Equatable {
    /// The answer is not known, or the server was busy: send the same batch again.
    case retry(connectionLost: Bool)
    /// No partition holds the next position: make one and send again.
    case partitionMissing
    /// Something in the batch cannot be appended.
    case poison
    case clockAhead
    case epochChanged

    init(_ error: PostgresError) {
        if error.isConnectionLoss {
            self = .retry(connectionLost: true)
            return
        }
        guard let state = error.sqlState else {
            self = error.kind == .encoding ? .poison : .retry(connectionLost: true)
            return
        }
        switch state {
        case .epochChanged: self = .epochChanged
        case .clockAhead: self = .clockAhead
        case .checkViolation where error.constraint == nil: self = .partitionMissing
        case .readOnlyTransaction: self = .retry(connectionLost: true)
        case .deadlockDetected, .serializationFailure, .lockNotAvailable, .queryCanceled:
            self = .retry(connectionLost: false)
        // Out of memory, disk or connections; a system error: it may pass.
        case _ where state.errorClass == "53" || state.errorClass == "58": self = .retry(connectionLost: false)
        default: self = .poison
        }
    }
}

extension SQLState {
    /// SKE01: the caller expects another epoch of the log.
    static let epochChanged: SQLState = "SKE01"
    /// SKE02: the database's clock is later than the caller allows.
    static let clockAhead: SQLState = "SKE02"
}

/// Why a command was not appended. In every case but ``unknownOutcome`` nothing of it is in the log.
package enum AppendError: Error, Sendable {
    /// The command's id was used before, by a request that asked for something else.
    case differentRequest
    /// The stream is not at the expected version; it is at this one.
    case conflict(actualVersion: Int)
    /// Another stream holds one of the command's reservations.
    case reserved
    /// Too many commands wait already. Try again in a while.
    case queueFull
    /// The command breaks a limit of the log: no events, a fingerprint of another length than 16, too many bytes.
    case malformed(String)
    /// The database rejected the command because of its content.
    case refused(PostgresError)
    /// The database's clock is further ahead than time can have passed. An operator has to look.
    case clockAhead
    /// The log's epoch changed: it was restored, or the database failed over.
    case epochChanged
    /// The log is shutting down.
    case closed
    /// The database could not be reached in time. Nothing was sent.
    case unavailable
    /// The connection was lost and could not be made again in time. The command may or may not be in the log;
    /// retry with the same id to learn it.
    case unknownOutcome
}
