internal import Postgres

/// What a failed call of `log.append` means. The one place that reads its SQLSTATEs.
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
    /// SKE01: the caller believes in another epoch of the log.
    static let epochChanged: SQLState = "SKE01"
    /// SKE02: the database's clock is later than the caller allows.
    static let clockAhead: SQLState = "SKE02"
}
