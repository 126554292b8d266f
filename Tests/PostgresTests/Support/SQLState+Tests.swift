import Postgres

extension SQLState {
    static let divisionByZero: SQLState = "22012"
    static let foreignKeyViolation: SQLState = "23503"
    static let uniqueViolation: SQLState = "23505"
    static let syntaxError: SQLState = "42601"
    static let undefinedTable: SQLState = "42P01"
}
