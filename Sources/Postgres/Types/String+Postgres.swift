/// UTF-8 as `text`; also reads `varchar`, `bpchar`, `name`, `"char"` and literals of unknown type.
///
/// PostgreSQL's text cannot hold NUL, so such a string is refused before it is sent.
extension String: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .text }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .textArray }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool {
        switch type {
        case .text, .varchar, .bpchar, .name, .char, .unknown: true
        default: false
        }
    }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool {
        [.textArray, .varcharArray, .bpcharArray, .nameArray].contains(type)
    }

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        var text = self
        let hasNUL = text.withUTF8 { bytes in
            writer.write(bytes)
            return bytes.contains(0)
        }
        guard !hasNUL else { throw PostgresEncodingFault("a text has a NUL character") }
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> String {
        try reader.readString()
    }
}
