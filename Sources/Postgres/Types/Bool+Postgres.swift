/// One byte, 0 or 1.
extension Bool: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .bool }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .boolArray }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .bool }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .boolArray }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(UInt8(self ? 1 : 0))
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Bool {
        switch try reader.read(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .malformed("a bool is neither 0 nor 1")
        }
    }
}
