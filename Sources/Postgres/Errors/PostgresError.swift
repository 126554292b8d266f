/// Everything that can go wrong between us and PostgreSQL.
///
/// `description` is one neutral sentence that may be shown to anyone; `debugDescription` holds all that is known except
/// values: no bind, no row, no password.
package struct PostgresError: Error {
    /// What failed, as far as a caller may want to tell apart.
    package enum Kind: String, Sendable, Hashable {
        /// The connection string or a setting cannot be used.
        case configuration
        /// No connection could be made: unreachable, refused, not authenticated, or a certificate that does not fit.
        case connectionFailed
        /// A connection was lost; a statement that was under way may or may not have taken effect.
        case connectionLost
        /// The connection or the pool has been closed on purpose.
        case closed
        /// The server refused a statement; see ``sqlState``.
        case server
        /// A bind value cannot be sent.
        case encoding
        /// A value received does not fit the type asked for.
        case decoding
        /// The conversation with the server went out of step; the connection is closed.
        case protocolViolation
        /// No connection was free, or none took the statement up, in the time the pool allows.
        case poolTimeout
        /// A time limit of ours has passed.
        case timeout
        /// The task was cancelled; a statement already sent may still take effect.
        case cancelled
    }

    /// What failed.
    package let kind: Kind
    /// Explanation for developers; never holds values.
    package var message: String
    /// What the server said, where it said anything.
    package var report: ServerReport?
    /// Text of the statement, with placeholders for its values.
    package var query: String?
    /// Who asked.
    package var caller: CallSite?
    /// False when it is certain that the server has not been sent the statement, so that repeating it is safe.
    package var wasSent: Bool

    /// Describes a failure.
    package init(
        _ kind: Kind, _ message: String, report: ServerReport? = nil, query: String? = nil,
        caller: CallSite? = nil, wasSent: Bool = true
    ) {
        self.kind = kind
        self.message = message
        self.report = report
        self.query = query
        self.caller = caller
        self.wasSent = wasSent
    }

    /// A refusal by the server.
    package init(server report: ServerReport) {
        self.init(.server, report.messageWithoutValues, report: report)
    }
}

extension PostgresError {
    /// SQLSTATE, when the server spoke.
    package var sqlState: SQLState? { report?.sqlState }
    /// Name of the constraint that was violated.
    package var constraint: String? { report?.constraint }
    /// Schema of the table concerned.
    package var schema: String? { report?.schema }
    /// The table concerned.
    package var table: String? { report?.table }
    /// The column concerned.
    package var column: String? { report?.column }
    /// Secondary message of the server; may quote values, so it is not for logs.
    package var detail: String? { report?.detail }
    /// The server's hint.
    package var hint: String? { report?.hint }
    /// One-based character of the statement where the trouble is.
    package var position: Int? { report?.position }

    /// Whether the connection is gone (08xxx, 57P01 to 57P03, end of file): it may be worth trying on another one.
    package var isConnectionLoss: Bool {
        if kind == .connectionLost || kind == .connectionFailed { return true }
        guard let sqlState else { return false }
        return sqlState.errorClass == "08"
            || [.adminShutdown, .crashShutdown, .cannotConnectNow].contains(sqlState)
    }

    /// The same error with the statement and the place that caused it, where they are not known yet.
    package func attributed(query: String?, caller: CallSite?) -> PostgresError {
        var copy = self
        copy.query = copy.query ?? query
        copy.caller = copy.caller ?? caller
        return copy
    }

    /// The same error for a statement that never left us.
    func neverSent() -> PostgresError {
        var copy = self
        copy.wasSent = false
        return copy
    }
}
