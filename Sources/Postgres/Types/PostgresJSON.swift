/// JSON as text, byte for byte as it was written.
///
/// Bound as `json`, which keeps the text (PostgreSQL casts it to `jsonb` on assignment). Read from `json`, or from
/// `jsonb`, whose binary form is a version byte and then the text PostgreSQL makes of it.
package struct PostgresJSON: Sendable, Hashable {
    /// The JSON text.
    package let text: String

    /// Takes JSON text; the server checks that it is JSON.
    package init(_ text: String) {
        self.text = text
    }
}

extension PostgresJSON: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .json }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .jsonArray }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .json || type == .jsonb }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .jsonArray || type == .jsonbArray }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try text.encode(into: &writer)
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> PostgresJSON {
        if type == .jsonb, try reader.read(UInt8.self) != 1 {
            throw .malformed("the version of jsonb is not 1")
        }
        return PostgresJSON(try reader.readString())
    }
}
