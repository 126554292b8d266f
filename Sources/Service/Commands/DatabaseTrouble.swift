internal import Postgres

/// Finds out whether a database error is transient.
package enum DatabaseTrouble {
    /// Whether the database is unreachable or busy for now, so that a retry may succeed in a moment.
    package static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        switch error.kind {
        case .poolTimeout, .timeout, .closed: return true
        default: return error.isConnectionLoss
        }
    }
}
