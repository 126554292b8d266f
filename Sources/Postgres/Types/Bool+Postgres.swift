/// One byte, 0 or 1.
extension Bool: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .bool }

    package static var postgresArrayType: PostgresType { .boolArray }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .bool }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .boolArray }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(UInt8(self ? 1 : 0))
    }

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
