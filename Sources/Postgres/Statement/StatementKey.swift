/// What a prepared statement is known by: two texts with different parameter types are two statements.
struct StatementKey: Hashable, Sendable {
    let text: String
    let types: [PostgresType]

    init(_ sql: SQL) {
        text = sql.text
        types = sql.binds.types
    }
}
