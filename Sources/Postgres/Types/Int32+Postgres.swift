/// Four bytes, big-endian; reads `int2` as well.
extension Int32: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .int4 }

    package static var postgresArrayType: PostgresType { .int4Array }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .int4 || type == .int2 }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .int4Array || type == .int2Array }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int32 {
        type == .int2 ? Int32(try reader.read(Int16.self)) : try reader.read(Int32.self)
    }
}
