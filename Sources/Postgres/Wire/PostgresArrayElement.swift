/// A value that can be an element of an array that is bound to a statement.
///
/// A requirement of its own because an array of `UInt8` is not an array to PostgreSQL but one `bytea`.
package protocol PostgresArrayEncodable: Sendable {
    /// Type of the whole array.
    static var postgresArrayType: PostgresType { get }

    /// Appends the whole array.
    static func encode(array: [Self], into writer: inout PostgresWriter) throws(PostgresEncodingFault)
}

/// A value that can be an element of an array that is read from a column.
package protocol PostgresArrayDecodable {
    /// Whether `type` is an array of such values.
    static func canDecodeArray(_ type: PostgresType) -> Bool

    /// Reads the whole array.
    static func decodeArray(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> [Self]
}

/// A value with a type of its own, and arrays of it.
package typealias PostgresScalar = PostgresEncodable & PostgresDecodable & PostgresArrayEncodable
    & PostgresArrayDecodable

extension PostgresArrayEncodable where Self: PostgresEncodable {
    /// The `array_send` format: dimensions, a NULL flag, the element's type, then length and lower bound of the one
    /// dimension, then each element after its length (-1 for NULL). An empty array has no dimension.
    package static func encode(array: [Self], into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        writer.write(Int32(array.isEmpty ? 0 : 1))
        writer.write(Int32(array.contains { $0.isNull } ? 1 : 0))
        writer.write(postgresType.rawValue)
        guard !array.isEmpty else { return }
        guard let count = Int32(exactly: array.count) else { throw PostgresEncodingFault("an array is too long") }
        writer.write(count)
        writer.write(Int32(1))
        for element in array {
            if element.isNull {
                writer.write(Int32(-1))
            } else {
                try writer.writeCounted { (writer) throws(PostgresEncodingFault) in try element.encode(into: &writer) }
            }
        }
    }
}

extension PostgresArrayDecodable where Self: PostgresDecodable {
    /// Reads the `array_recv` format; more than one dimension is rejected, a lower bound other than 1 is not.
    package static func decodeArray(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> [Self] {
        let dimensions = try reader.read(Int32.self)
        let flags = try reader.read(Int32.self)
        let elementType = PostgresType(rawValue: try reader.read(UInt32.self))
        guard flags == 0 || flags == 1 else { throw .malformed("the array's flags are neither 0 nor 1") }
        guard canDecode(elementType) else { throw .wrongType(elementType) }
        guard dimensions != 0 else { return [] }
        guard dimensions == 1 else { throw .malformed("the array has more than one dimension") }
        let count = Int(try reader.read(Int32.self))
        _ = try reader.read(Int32.self)  // lower bound
        // Each element takes at least its length, so a count from a broken message cannot make us reserve the world.
        guard count >= 0, count <= reader.remaining / 4 else { throw .tooShort }
        var elements: [Self] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            elements.append(try decodeElement(from: &reader, as: elementType))
        }
        return elements
    }

    private static func decodeElement(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Self {
        let length = try reader.read(Int32.self)
        guard length >= 0 else {
            guard length == -1 else { throw .malformed("an element has a negative length") }
            return try decodeNull()
        }
        var element = try reader.reader(of: Int(length))
        let value = try decode(from: &element, as: type)
        try element.finish()
        return value
    }
}
