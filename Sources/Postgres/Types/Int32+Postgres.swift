/// Four bytes, big-endian; reads `int2` as well.
extension Int32: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .int4 }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .int4Array }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .int4 || type == .int2 }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .int4Array || type == .int2Array }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int32 {
        type == .int2 ? Int32(try reader.read(Int16.self)) : try reader.read(Int32.self)
    }
}
