/// Two bytes, big-endian.
extension Int16: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .int2 }

    package static var postgresArrayType: PostgresType { .int2Array }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .int2 }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .int2Array }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int16 {
        try reader.read(Int16.self)
    }
}
