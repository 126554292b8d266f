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
