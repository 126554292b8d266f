package import FoundationEssentials

/// Sixteen bytes in the order they are written.
extension UUID: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .uuid }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .uuidArray }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .uuid }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .uuidArray }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        withUnsafeBytes(of: uuid) { writer.write($0) }
    }

    /// Reads the binary form.
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
