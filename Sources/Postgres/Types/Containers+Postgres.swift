/// A one-dimensional array; `[UInt8]` is a `bytea`, see `UInt8` below.
extension Array: PostgresEncodable where Element: PostgresArrayEncodable {
    package static var postgresType: PostgresType { Element.postgresArrayType }

    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try Element.encode(array: self, into: &writer)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayDecodable {
    package static func canDecode(_ type: PostgresType) -> Bool { Element.canDecodeArray(type) }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> [Element] {
        try Element.decodeArray(from: &reader, as: type)
    }
}

/// `[UInt8]` is a `bytea`, as it is; PostgreSQL has no unsigned byte that an array could be made of.
extension UInt8: PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresArrayType: PostgresType { .bytea }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .bytea }

    package static func encode(array: [UInt8], into writer: inout PostgresWriter) {
        writer.write(array)
    }

    package static func decodeArray(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> [UInt8] {
        try reader.readBytes()
    }
}

/// `[[UInt8]]` is an array of `bytea`.
extension Array: PostgresArrayEncodable where Element == UInt8 {
    package static var postgresArrayType: PostgresType { .byteaArray }
}

extension Array: PostgresArrayDecodable where Element == UInt8 {
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .byteaArray }
}

/// `nil` is NULL.
extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    /// Whether there is no value.
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

    /// NULL is `nil`.
    package static func decodeNull() -> Wrapped? { nil }
}

/// Arrays may have NULL elements.
extension Optional: PostgresArrayEncodable where Wrapped: PostgresArrayEncodable & PostgresEncodable {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
}

extension Optional: PostgresArrayDecodable where Wrapped: PostgresArrayDecodable & PostgresDecodable {
    package static func canDecodeArray(_ type: PostgresType) -> Bool { Wrapped.canDecodeArray(type) }
}
