/// What the server said about an error or a notice, field by field.
///
/// A class so that ``PostgresError`` stays small enough to travel in every `Result`.
///
/// Source: PostgreSQL documentation, "Error and Notice Message Fields".
package final class ServerReport: Sendable {
    /// `ERROR`, `FATAL`, `PANIC`, `WARNING`, `NOTICE` …, not translated.
    package let severity: String
    /// The code to branch on.
    package let sqlState: SQLState
    /// The primary message; class 22 messages may quote a value.
    package let message: String
    /// Secondary message; may quote values of the row.
    package let detail: String?
    /// What to do about it.
    package let hint: String?
    /// Call stack of PL/pgSQL functions and the like.
    package let context: String?
    /// Schema of the table concerned.
    package let schema: String?
    /// The table concerned.
    package let table: String?
    /// The column concerned.
    package let column: String?
    /// The data type concerned.
    package let dataType: String?
    /// The constraint concerned.
    package let constraint: String?
    /// One-based character in the statement where the trouble is.
    package let position: Int?

    /// Builds a report; a missing field is nil.
    package init(
        severity: String, sqlState: SQLState, message: String, detail: String? = nil, hint: String? = nil,
        context: String? = nil, schema: String? = nil, table: String? = nil, column: String? = nil,
        dataType: String? = nil, constraint: String? = nil, position: Int? = nil
    ) {
        self.severity = severity
        self.sqlState = sqlState
        self.message = message
        self.detail = detail
        self.hint = hint
        self.context = context
        self.schema = schema
        self.table = table
        self.column = column
        self.dataType = dataType
        self.constraint = constraint
        self.position = position
    }

    /// Classes 22 (data) and 23 (integrity) may quote stored or bound values in detail, context and message.
    var mayQuoteValues: Bool {
        sqlState.errorClass == "22" || sqlState.errorClass == "23"
    }

    /// The message without the values it may quote.
    var messageWithoutValues: String {
        guard sqlState.errorClass == "22", let quote = message.firstIndex(of: "\"") else { return message }
        return message[..<quote] + "…"
    }
}

/// A five-character SQLSTATE, the only part of a server error that code may branch on (with the constraint's name).
///
/// Source: PostgreSQL documentation, appendix A "PostgreSQL Error Codes".
package struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The code as the server sent it.
    package let rawValue: String

    /// Takes any code, known here or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a literal code.
    package init(stringLiteral value: String) {
        self.rawValue = value
    }

    package var description: String { rawValue }

    /// The first two characters, which name the class of the error.
    package var errorClass: Substring { rawValue.prefix(2) }
}

extension SQLState {
    /// 0A000: also raised when a cached plan must not change its result type.
    package static let featureNotSupported: SQLState = "0A000"
    /// 23514: a CHECK constraint rejected the row.
    package static let checkViolation: SQLState = "23514"
    /// 25006: the transaction, or the server, is read-only.
    package static let readOnlyTransaction: SQLState = "25006"
    /// 25P02: an earlier error has aborted the transaction.
    package static let inFailedTransaction: SQLState = "25P02"
    /// 26000: the server does not know the prepared statement.
    package static let invalidStatementName: SQLState = "26000"
    /// 40001: a serialisable transaction must be retried.
    package static let serializationFailure: SQLState = "40001"
    /// 40P01: a deadlock was broken here.
    package static let deadlockDetected: SQLState = "40P01"
    /// 53100: there is no room on the server's disk.
    package static let diskFull: SQLState = "53100"
    /// 55P03: a lock was not to be had in time.
    package static let lockNotAvailable: SQLState = "55P03"
    /// 57014: cancelled, by a person or by `statement_timeout`.
    package static let queryCanceled: SQLState = "57014"
    /// 57P01: an administrator ended the session.
    package static let adminShutdown: SQLState = "57P01"
    /// 57P02: the server ended the session because another backend crashed.
    package static let crashShutdown: SQLState = "57P02"
    /// 57P03: the server is starting up or shutting down.
    package static let cannotConnectNow: SQLState = "57P03"
}
