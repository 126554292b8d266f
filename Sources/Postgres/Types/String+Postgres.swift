/// UTF-8 as `text`; also reads `varchar`, `bpchar`, `name`, `"char"` and literals of unknown type.
///
/// PostgreSQL's text cannot hold NUL, so such a string is refused before it is sent.
extension String: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    package static var postgresType: PostgresType { .text }

    package static var postgresArrayType: PostgresType { .textArray }

    package static func canDecode(_ type: PostgresType) -> Bool {
        [.text, .varchar, .bpchar, .name, .char, .unknown].contains(type)
    }

    package static func canDecodeArray(_ type: PostgresType) -> Bool {
        [.textArray, .varcharArray, .bpcharArray, .nameArray].contains(type)
    }

    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        guard !utf8.contains(0) else { throw PostgresEncodingFault("a text has a NUL character") }
        writer.write(utf8)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> String {
        try reader.readString()
    }
}
