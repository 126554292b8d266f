/// IEEE 754 single precision.
extension Float: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .float4 }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .float4Array }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .float4 }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .float4Array }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(bitPattern)
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Float {
        Float(bitPattern: try reader.read(UInt32.self))
    }
}
