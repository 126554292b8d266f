/// A one-dimensional array; `[UInt8]` is a `bytea`, and its elements' own file says so.
extension Array: PostgresEncodable where Element: PostgresArrayEncodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { Element.postgresArrayType }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try Element.encode(array: self, into: &writer)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayDecodable {
    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { Element.canDecodeArray(type) }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> [Element] {
        try Element.decodeArray(from: &reader, as: type)
    }
}
