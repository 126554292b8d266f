/// `[UInt8]` is a `bytea`, as it is; PostgreSQL has no unsigned byte that an array could be made of.
extension UInt8: PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .bytea }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .bytea }

    /// Appends the binary form.
    package static func encode(array: [UInt8], into writer: inout PostgresWriter) {
        writer.write(array)
    }

    /// Reads the binary form.
    package static func decodeArray(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> [UInt8] {
        try reader.readBytes()
    }
}

/// `[[UInt8]]` is an array of `bytea`.
extension Array: PostgresArrayEncodable where Element == UInt8 {
    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .byteaArray }
}

extension Array: PostgresArrayDecodable where Element == UInt8 {
    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .byteaArray }
}
