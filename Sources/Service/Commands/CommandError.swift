package import EventLog
import Postgres

/// Why a command failed, other than a rejection by its decider.
package enum CommandError: Error, Sendable {
    /// The key was used before, for another request.
    case keyReused
    /// It does not exist, or belongs to another account.
    case notFound
    /// It has changed since the version that the caller named.
    case stale(actualVersion: Int)
    /// The first outcome of this key has been withdrawn.
    case withdrawn
    /// The first outcome of this key has been erased.
    case gone
    /// Another account has the e-mail address.
    case emailTaken
    /// Another photo of the sighting got the ordinal; decide again.
    case ordinalTaken
    /// The queue is full or the database unreachable. The outcome may be unknown; retry with the same key.
    case unavailable(AppendError)
    /// The log rejected the append: a bug; a retry does not help.
    case refused(AppendError)
}

/// Finds out whether a database error is transient.
package enum DatabaseTrouble {
    /// Whether the database is unreachable or busy for now, so that a retry may succeed in a moment.
    package static func isPassing(_ error: any Error) -> Bool {
        let cause = (error as? PostgresTransactionError)?.underlying ?? error
        guard let error = cause as? PostgresError else { return false }
        switch error.kind {
        case .poolTimeout, .timeout, .closed: return true
        default: return error.isConnectionLoss || (error.sqlState.map(isPassing) ?? false)
        }
    }

    private static func isPassing(_ state: SQLState) -> Bool {
        switch state {
        case .queryCanceled, .lockNotAvailable, .deadlockDetected, .serializationFailure, .readOnlyTransaction: true
        // Out of memory, disk or connections; a system error.
        default: state.errorClass == "53" || state.errorClass == "58"
        }
    }
}
