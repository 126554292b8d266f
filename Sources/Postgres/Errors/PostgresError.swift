/// Everything that can go wrong between us and PostgreSQL.
///
/// `description` is one neutral sentence that may be shown to anyone; `debugDescription` holds all that is known except
/// values: no bind, no row, no password.
package struct PostgresError: Error {
    /// What failed, as far as a caller may want to tell apart.
    package enum Kind: String, Sendable, Hashable {
        /// The connection string or a setting cannot be used.
        case configuration
        /// No connection could be made: unreachable, rejected, not authenticated, or a certificate that does not fit.
        case connectionFailed
        /// A connection was lost; a statement that was under way may or may not have taken effect.
        case connectionLost
        /// The connection or the pool has been closed on purpose.
        case closed
        /// The server rejected a statement; see ``sqlState``.
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
    /// The place in the code that asked.
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

    /// An error that the server reported.
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

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One neutral sentence, safe to show.
    package var description: String {
        switch kind {
        case .configuration: "The database is not configured correctly."
        case .connectionFailed: "The database could not be reached."
        case .connectionLost: "The connection to the database was lost."
        case .closed: "The connection to the database is closed."
        case .server: "The database rejected a statement."
        case .encoding: "A value could not be sent to the database."
        case .decoding: "A value from the database was not as expected."
        case .protocolViolation: "The conversation with the database went out of step."
        case .poolTimeout: "The database is too busy."
        case .timeout: "The database took too long."
        case .cancelled: "The database request was cancelled."
        }
    }

    /// Why, in the words of the server or of libpq: for operators, not for clients.
    package var reason: String {
        report.map { "\($0.messageWithoutValues) (SQLSTATE \($0.sqlState.rawValue))" } ?? message
    }

    /// Everything but values. Detail and context of class 22 and 23 errors quote rows, so they are left out.
    package var debugDescription: String {
        var parts = ["PostgresError.\(kind.rawValue): \(message)"]
        if let report { parts += Self.fields(of: report) }
        if !wasSent { parts.append("not sent") }
        if let query { parts.append("query: \(query)") }
        if let caller { parts.append("at \(caller.file):\(caller.line)") }
        return parts.joined(separator: " | ")
    }

    /// `dump` and string interpolation of enclosing values must not get around `debugDescription`.
    package var customMirror: Mirror {
        Mirror(self, children: ["debugDescription": debugDescription])
    }

    private static func fields(of report: ServerReport) -> [String] {
        let withheld = report.mayQuoteValues
        let named: [(String, String?)] = [
            ("severity", report.severity), ("sqlState", report.sqlState.rawValue),
            ("server", report.messageWithoutValues),
            ("constraint", report.constraint), ("schema", report.schema), ("table", report.table),
            ("column", report.column), ("type", report.dataType),
            ("detail", withheld ? report.detail.map { _ in "(withheld: may quote values)" } : report.detail),
            ("hint", report.hint),
            ("context", withheld ? nil : report.context),
            ("position", report.position.map { String($0) }),
        ]
        return named.compactMap { name, value in value.map { "\(name): \($0)" } }
    }
}

/// The place in our source that asked the database for something; kept in errors so that a log line names the culprit.
package struct CallSite: Sendable, Hashable {
    /// `#fileID` of the caller, for example `EventLog/Appender.swift`.
    package let file: String
    /// One-based line in ``file``.
    package let line: Int

    /// The place this is written at.
    package static func here(file: String = #fileID, line: Int = #line) -> CallSite {
        CallSite(file: file, line: line)
    }
}
