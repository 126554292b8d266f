/// IEEE 754 double precision; reads `float4` as well.
extension Double: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .float8 }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .float8Array }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .float8 || type == .float4 }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .float8Array || type == .float4Array }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(bitPattern)
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Double {
        type == .float4
            ? Double(try Float.decode(from: &reader, as: type))
            : Double(bitPattern: try reader.read(UInt64.self))
    }
}
