/// `nil` is NULL.
extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { Wrapped.postgresType }

    /// Whether there is no value.
    package var isNull: Bool {
        switch self {
        case .none: true
        case .some(let wrapped): wrapped.isNull
        }
    }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try self?.encode(into: &writer)
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { Wrapped.canDecode(type) }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Wrapped? {
        try Wrapped.decode(from: &reader, as: type)
    }

    /// NULL is `nil`.
    package static func decodeNull() -> Wrapped? { nil }
}

/// Arrays may have NULL elements.
extension Optional: PostgresArrayEncodable where Wrapped: PostgresArrayEncodable & PostgresEncodable {
    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
}

extension Optional: PostgresArrayDecodable where Wrapped: PostgresArrayDecodable & PostgresDecodable {
    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { Wrapped.canDecodeArray(type) }
}
