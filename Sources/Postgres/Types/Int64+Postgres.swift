/// Eight bytes, big-endian; reads the smaller integers and `oid` as well.
extension Int64: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .int8 }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .int8Array }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool {
        type == .int8 || type == .int4 || type == .int2 || type == .oid
    }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool {
        [.int8Array, .int4Array, .int2Array, .oidArray].contains(type)
    }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    /// Reads the binary form.
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
