package import Postgres

/// The meaning of a failed call of `log.append`. The one place that reads its SQLSTATEs.
enum AppendFailure: Equatable {
    /// The connection cannot be used any more. If the batch was sent, its outcome is not known: send it again.
    case connectionLost
    /// The server rejected the batch for a reason that may pass: nothing was appended. Send it again.
    case passing
    /// The batch took longer than the server allows: nothing was appended. Send less at a time.
    case tooLong
    /// No partition holds the next position: make one and send again.
    case partitionMissing
    /// Something in the batch cannot be appended.
    case poison
    /// As poison; the account that decided it was erased.
    case actorErased
    case clockRejected
    case epochChanged

    init(_ error: PostgresError) {
        guard let state = error.sqlState, !error.isConnectionLoss else {
            self = error.kind == .encoding ? .poison : .connectionLost
            return
        }
        switch state {
        case .epochChanged: self = .epochChanged
        case .clockRejected: self = .clockRejected
        case .actorErased: self = .actorErased
        case .checkViolation where error.constraint == nil: self = .partitionMissing
        case .queryCanceled: self = .tooLong
        // The server has become a standby; another one takes writes.
        case .readOnlyTransaction: self = .connectionLost
        case _ where state.errorClass == "22" || state.errorClass == "23": self = .poison
        // A lock that was not free, a full disk, a function that an upgrade is replacing …
        default: self = .passing
        }
    }
}

extension SQLState {
    /// SKE01: the caller expects another epoch of the log.
    static let epochChanged: SQLState = "SKE01"
    /// SKE02: the database's clock differs from the caller's, or is too far ahead of the last time accepted.
    static let clockRejected: SQLState = "SKE02"
    /// SKE06: the account that decided it was erased.
    static let actorErased: SQLState = "SKE06"
}

/// Why a command was not appended. In every case but ``unknownOutcome`` this call has left nothing of it in the log; an
/// earlier call with the same id may have.
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
    case rejected(PostgresError)
    /// The account that decided the command was erased.
    case actorErased
    /// The database's clock differs from this process's, or is too far ahead of the last time accepted. An operator has
    /// to correct or accept it.
    case clockRejected
    /// The log's epoch changed: it was restored, or the database failed over.
    case epochChanged
    /// The log is shutting down.
    case closed
    /// The database could not be reached, or rejected the command for a reason that may pass, for
    /// ``AppendLimits/timeout``.
    case unavailable
    /// The command was sent, and no answer came in time. It may or may not be in the log; a retry with the same id
    /// finds the outcome.
    case unknownOutcome
}
