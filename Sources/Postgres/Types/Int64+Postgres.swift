/// Eight bytes, big-endian; reads the smaller integers and `oid` as well.
extension Int64: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .int8 }

    package static var postgresArrayType: PostgresType { .int8Array }

    package static func canDecode(_ type: PostgresType) -> Bool { [.int8, .int4, .int2, .oid].contains(type) }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { [.int8Array, .int4Array, .int2Array, .oidArray].contains(type) }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int64 {
        switch type {
        case .int2: Int64(try reader.read(Int16.self))
        case .int4: Int64(try reader.read(Int32.self))
        case .oid: Int64(try reader.read(UInt32.self))
        default: try reader.read(Int64.self)
        }
    }
}
