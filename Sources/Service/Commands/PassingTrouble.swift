import PhotoStore
import Postgres

/// Finds out whether an error is transient.
package enum PassingTrouble {
    /// Whether the database or the photo store is unreachable or busy for now, so that a retry may succeed in a moment.
    package static func isPassing(_ error: any Error) -> Bool {
        if let error = error as? PhotoStoreError { return error.isTemporary }
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
