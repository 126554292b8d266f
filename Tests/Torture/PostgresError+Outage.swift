import Postgres

extension PostgresError {
    /// Whether it says only that the database is not there, or busy, at the moment.
    var isOutage: Bool {
        switch kind {
        case .poolTimeout, .timeout, .closed: true
        // Connections, resources and the operator's interventions.
        default: isConnectionLoss || ["08", "53", "57"].contains(sqlState?.errorClass)
        }
    }
}
