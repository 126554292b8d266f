/// `nil` is NULL.
extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package var isNull: Bool {
        switch self {
        case .none: true
        case .some(let wrapped): wrapped.isNull
        }
    }

    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try self?.encode(into: &writer)
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func canDecode(_ type: PostgresType) -> Bool { Wrapped.canDecode(type) }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Wrapped? {
        try Wrapped.decode(from: &reader, as: type)
    }

    package static func decodeNull() -> Wrapped? { nil }
}

/// Arrays may have NULL elements.
extension Optional: PostgresArrayEncodable where Wrapped: PostgresArrayEncodable & PostgresEncodable {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
}

extension Optional: PostgresArrayDecodable where Wrapped: PostgresArrayDecodable & PostgresDecodable {
    package static func canDecodeArray(_ type: PostgresType) -> Bool { Wrapped.canDecodeArray(type) }
}
