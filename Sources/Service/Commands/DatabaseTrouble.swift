internal import Postgres

/// What an error says about trying again.
package enum DatabaseTrouble {
    /// Whether the database is away or busy for now, so that the same request may succeed in a moment.
    package static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        switch error.kind {
        case .poolTimeout, .timeout, .closed: return true
        default: return error.isConnectionLoss
        }
    }
}
