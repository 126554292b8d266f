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

/// A value that can be read from a column in PostgreSQL's binary format.
package protocol PostgresDecodable {
    /// Whether a column of `type` can be read without loss.
    static func canDecode(_ type: PostgresType) -> Bool

    /// Reads a value that is not NULL. The caller checks the type before and the end of the value after.
    ///
    /// - Throws: whatever is wrong with the bytes; a decoder never traps.
    static func decode(from reader: inout PostgresReader, as type: PostgresType) throws(PostgresDecodingFault) -> Self

    /// What NULL means.
    ///
    /// - Throws: `unexpectedNull`, unless the type is optional.
    static func decodeNull() throws(PostgresDecodingFault) -> Self
}

extension PostgresDecodable {
    /// NULL is rejected unless a type says otherwise.
    package static func decodeNull() throws(PostgresDecodingFault) -> Self {
        throw .unexpectedNull
    }

    /// Reads one whole value: type, NULL, contents, end.
    static func decodeValue(
        _ bytes: UnsafeRawBufferPointer?, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Self {
        guard canDecode(type) else { throw .wrongType(type) }
        guard let bytes else { return try decodeNull() }
        var reader = PostgresReader(bytes)
        let value = try decode(from: &reader, as: type)
        try reader.finish()
        return value
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    /// The raw value's types.
    package static func canDecode(_ type: PostgresType) -> Bool { RawValue.canDecode(type) }

    /// Reads the raw value.
    ///
    /// - Throws: also when no case has that raw value.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Self {
        guard let value = Self(rawValue: try RawValue.decode(from: &reader, as: type)) else {
            throw .malformed("the value is not one of \(Self.self)")
        }
        return value
    }
}
