/// IEEE 754 single precision.
extension Float: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .float4 }

    package static var postgresArrayType: PostgresType { .float4Array }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .float4 }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .float4Array }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(bitPattern)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Float {
        Float(bitPattern: try reader.read(UInt32.self))
    }
}
