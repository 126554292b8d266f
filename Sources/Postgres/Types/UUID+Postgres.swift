package import FoundationEssentials

/// Sixteen bytes in the order they are written.
extension UUID: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .uuid }

    package static var postgresArrayType: PostgresType { .uuidArray }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .uuid }

    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .uuidArray }

    package func encode(into writer: inout PostgresWriter) {
        withUnsafeBytes(of: uuid) { writer.write($0) }
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> UUID {
        let high = try reader.read(UInt64.self).bigEndian
        let low = try reader.read(UInt64.self).bigEndian
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes.storeBytes(of: high, as: UInt64.self)
            bytes.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }
}
