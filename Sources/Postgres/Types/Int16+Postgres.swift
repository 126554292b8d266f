/// Two bytes, big-endian.
extension Int16: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .int2 }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .int2Array }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .int2 }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .int2Array }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int16 {
        try reader.read(Int16.self)
    }
}
