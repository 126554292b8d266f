/// As `Int64`.
extension Int: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .int8 }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .int8Array }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { Int64.canDecode(type) }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { Int64.canDecodeArray(type) }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(Int64(self))
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int {
        guard let value = Int(exactly: try Int64.decode(from: &reader, as: type)) else {
            throw .malformed("the integer does not fit this machine")
        }
        return value
    }
}
