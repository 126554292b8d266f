/// A value that can be bound to a statement, in PostgreSQL's binary format.
package protocol PostgresEncodable: Sendable {
    /// The type the statement is prepared with, so that the server infers nothing.
    static var postgresType: PostgresType { get }

    /// Whether this is SQL's NULL; then ``encode(into:)`` is not called.
    var isNull: Bool { get }

    /// Appends the binary form, without a length.
    ///
    /// - Throws: when PostgreSQL has no such value (a date beyond its calendar, a NUL in a text).
    func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault)
}

extension PostgresEncodable {
    /// Only optionals are ever NULL.
    package var isNull: Bool { false }
}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    /// The raw value's type.
    package static var postgresType: PostgresType { RawValue.postgresType }

    /// The raw value's form.
    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try rawValue.encode(into: &writer)
    }
}
