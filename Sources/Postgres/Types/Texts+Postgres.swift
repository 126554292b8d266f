/// UTF-8 as `text`; also reads `varchar`, `bpchar`, `name`, `"char"` and literals of unknown type.
///
/// PostgreSQL's text cannot hold NUL, so such a string is rejected before it is sent.
extension String: PostgresScalar {
    package static var postgresType: PostgresType { .text }
    package static var postgresArrayType: PostgresType { .textArray }

    package static func canDecode(_ type: PostgresType) -> Bool {
        switch type {
        case .text, .varchar, .bpchar, .name, .char, .unknown: true
        default: false
        }
    }

    package static func canDecodeArray(_ type: PostgresType) -> Bool {
        [.textArray, .varcharArray, .bpcharArray, .nameArray].contains(type)
    }

    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        var text = self
        let hasNUL = text.withUTF8 { bytes in
            writer.write(bytes)
            return bytes.contains(0)
        }
        guard !hasNUL else { throw PostgresEncodingFault("a text has a NUL character") }
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> String {
        try reader.readString()
    }
}

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

extension PostgresJSON: PostgresScalar {
    package static var postgresType: PostgresType { .json }
    package static var postgresArrayType: PostgresType { .jsonArray }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .json || type == .jsonb }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .jsonArray || type == .jsonbArray }

    package func encode(into writer: inout PostgresWriter) throws(PostgresEncodingFault) {
        try text.encode(into: &writer)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> PostgresJSON {
        if type == .jsonb, try reader.read(UInt8.self) != 1 {
            throw .malformed("the version of jsonb is not 1")
        }
        return PostgresJSON(try reader.readString())
    }
}
