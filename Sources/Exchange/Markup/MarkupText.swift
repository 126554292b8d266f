/// The characters of XML documents.
enum MarkupText {
    /// The document in UTF-8. UTF-16 is recognised by its bytes, other encodings by the byte order mark or the
    /// declaration; without these, it is UTF-8.
    ///
    /// - Throws: `TextEncodingError.unsupported`; `MarkupError` for bytes that are not valid in that encoding.
    static func utf8(_ document: [UInt8], file: String) throws -> [UInt8] {
        let transcoded = UTF16Transcoder.utf8(of: document)
        let document = transcoded ?? document
        let hasMark = document.starts(with: ByteOrderMark.utf8)
        let body = hasMark ? Array(document.dropFirst(ByteOrderMark.utf8.count)) : document
        let label = declaredEncoding(body) ?? TextEncoding.utf8.rawValue
        guard let encoding = hasMark || transcoded != nil ? .utf8 : TextEncoding(label: label) else {
            throw TextEncodingError.unsupported(file: file, encoding: label)
        }
        return try body.withUnsafeBufferPointer { buffer in
            if let offset = encoding.firstInvalidOffset(buffer) {
                let line = 1 + body[..<offset].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
                throw MarkupError(file: file, line: line, reason: "not valid \(encoding.rawValue)")
            }
            return encoding == .utf8 ? body : Array(Windows1252.text(buffer).utf8)
        }
    }

    /// The label in `<?xml … encoding="…"?>`.
    private static func declaredEncoding(_ body: [UInt8]) -> String? {
        guard body.starts(with: Array("<?xml".utf8)), let end = body.firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        let declaration = String(decoding: body[..<end], as: UTF8.self)
        let parts = declaration.split(whereSeparator: { $0 == "\"" || $0 == "'" }).map(String.init)
        guard let key = parts.firstIndex(where: { $0.filter { !$0.isWhitespace }.hasSuffix("encoding=") }) else {
            return nil
        }
        return parts.indices.contains(key + 1) ? parts[key + 1] : nil
    }

    /// Text with its references to characters replaced; nil when there is one that XML does not have by itself.
    static func resolvingReferences(in raw: ArraySlice<UInt8>) -> String? {
        guard var ampersand = raw.firstIndex(of: UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var text = ""
        var rest = raw
        while true {
            text += String(decoding: rest[..<ampersand], as: UTF8.self)
            guard let semicolon = rest[ampersand...].firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(named: rest[(ampersand + 1)..<semicolon])
            else { return nil }
            text.unicodeScalars.append(scalar)
            rest = rest[(semicolon + 1)...]
            guard let next = rest.firstIndex(of: UInt8(ascii: "&")) else { break }
            ampersand = next
        }
        return text + String(decoding: rest, as: UTF8.self)
    }

    private static func scalar(named bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let name = String(decoding: bytes, as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let isHexadecimal = name.hasPrefix("#x")
        guard name.hasPrefix("#"),
            let value = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        else { return nil }
        // NUL and most control characters are no characters of XML.
        guard value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value) else { return nil }
        return Unicode.Scalar(value)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// ASCII letters, `_` and `:`, and everything beyond ASCII.
    static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
        }
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        isNameStart(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
