/// As `Int64`.
extension Int: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .int8 }

    package static var postgresArrayType: PostgresType { .int8Array }

    package static func canDecode(_ type: PostgresType) -> Bool { Int64.canDecode(type) }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { Int64.canDecodeArray(type) }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(Int64(self))
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int {
        guard let value = Int(exactly: try Int64.decode(from: &reader, as: type)) else {
            throw .malformed("the integer does not fit this machine")
        }
        return value
    }
}
