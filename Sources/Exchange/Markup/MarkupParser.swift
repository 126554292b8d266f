/// Reads a small XML document into elements.
///
/// Well-formedness is checked as far as it matters for telling elements, attributes and text apart. Document type
/// declarations are rejected, so there are no entities but the five of XML itself, nothing is ever fetched, and nothing
/// expands. (Foundation's parser is not used: on Linux it traps on names that are not valid UTF-8.)
///
/// - Source: Extensible Markup Language 1.0, fifth edition; Namespaces in XML 1.0 for the prefixes that are cut off.
struct MarkupParser {
    /// Elements inside one another. Metadata documents stay under 20.
    static let maximumDepth = 100

    private let file: String
    private let bytes: [UInt8]
    private var position = 0
    private var open: [MarkupElement] = []
    private var root: MarkupElement?

    /// Parses a document; `file` is its name for messages.
    ///
    /// - Returns: the root element.
    /// - Throws: `MarkupError`; `TextEncodingError.unsupported`.
    static func parse(_ document: [UInt8], file: String) throws -> MarkupElement {
        var parser = MarkupParser(file: file, bytes: try MarkupText.utf8(document, file: file))
        return try parser.parseDocument()
    }

    private init(file: String, bytes: [UInt8]) {
        (self.file, self.bytes) = (file, bytes)
    }

    private mutating func parseDocument() throws -> MarkupElement {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                try parseMarkup()
            } else {
                try parseText()
            }
        }
        if let unclosed = open.last { throw error("<\(unclosed.name)> is never closed") }
        guard let root else { throw error("there is no element") }
        return root
    }

    private mutating func parseMarkup() throws {
        if skip("<!--") {
            _ = try take(until: "-->", within: "comment")
        } else if skip("<![CDATA[") {
            try append(text: try take(until: "]]>", within: "CDATA section"))
        } else if skip("<?") {
            _ = try take(until: "?>", within: "processing instruction")
        } else if skip("<!") {
            throw error("document type declarations are not accepted")
        } else if skip("</") {
            try closeElement()
        } else {
            position += 1
            try openElement()
        }
    }

    private mutating func parseText() throws {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        try append(text: try resolved(bytes[start..<position]))
    }

    private mutating func append(text: String) throws {
        if !open.isEmpty {
            open[open.count - 1].text += text
        } else if text.contains(where: { !$0.isWhitespace }) {
            throw error("text outside the root element")
        }
    }
}

// MARK: - Elements

extension MarkupParser {
    private mutating func openElement() throws {
        guard root == nil else { throw error("a second root element") }
        let name = try takeName()
        var attributes: [String: String] = [:]
        var seen: Set<String> = []
        while true {
            let hadSpace = skipSpace()
            if skip("/>") {
                try open(MarkupElement(name: Self.local(name), attributes: attributes))
                return try close()
            }
            if skip(">") { return try open(MarkupElement(name: Self.local(name), attributes: attributes)) }
            guard hadSpace else { throw error("<\(name)> is malformed") }
            let (key, value) = try takeAttribute()
            guard seen.insert(key).inserted else { throw error("<\(name)> has the attribute \(key) twice") }
            if key == "xmlns" || key.hasPrefix("xmlns:") { continue }
            // An attribute without a prefix goes before one that has the same name in another namespace.
            let isFree = attributes[Self.local(key)] == nil
            if isFree || !key.contains(":") { attributes[Self.local(key)] = value }
        }
    }

    private mutating func open(_ element: MarkupElement) throws {
        guard open.count < Self.maximumDepth else { throw error("elements nested deeper than \(Self.maximumDepth)") }
        open.append(element)
    }

    private mutating func closeElement() throws {
        let name = Self.local(try takeName())
        _ = skipSpace()
        guard skip(">") else { throw error("</\(name)> is malformed") }
        guard open.last?.name == name else { throw error("</\(name)> closes an element that is not open") }
        try close()
    }

    private mutating func close() throws {
        guard let element = open.popLast() else { throw error("no element is open") }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    private mutating func takeAttribute() throws -> (key: String, value: String) {
        let key = try takeName()
        _ = skipSpace()
        guard skip("=") else { throw error("the attribute \(key) has no value") }
        _ = skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
        else {
            throw error("the value of \(key) is not in quotes")
        }
        let quote = bytes[position]
        position += 1
        guard let end = bytes[position...].firstIndex(of: quote) else {
            throw error("the value of \(key) is not closed")
        }
        let raw = bytes[position..<end]
        guard !raw.contains(UInt8(ascii: "<")) else { throw error("the value of \(key) holds a <") }
        // White space typed into an attribute is read as spaces; only a reference such as &#9; keeps a tab.
        let normalized = raw.map { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        let value = try resolved(normalized[...])
        position = end + 1
        return (key, value)
    }

    private static func local(_ name: String) -> String {
        guard let colon = name.firstIndex(of: ":") else { return name }
        return String(name[name.index(after: colon)...])
    }
}

// MARK: - Characters

extension MarkupParser {
    private mutating func skip(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        let matches = literal.withUTF8Buffer { bytes[position..<position + length].elementsEqual($0) }
        if matches { position += length }
        return matches
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, MarkupText.isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func takeName() throws -> String {
        let start = position
        while position < bytes.count, MarkupText.isNamePart(bytes[position]) { position += 1 }
        guard start < position, MarkupText.isNameStart(bytes[start]) else { throw error("a name is expected") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func take(until end: StaticString, within what: String) throws -> String {
        let start = position
        while position < bytes.count {
            let stop = position
            if skip(end) { return String(decoding: bytes[start..<stop], as: UTF8.self) }
            position += 1
        }
        throw error("a \(what) is never closed")
    }

    private func resolved(_ raw: ArraySlice<UInt8>) throws -> String {
        guard let text = MarkupText.resolvingReferences(in: raw) else {
            throw error("an & that begins no character reference of XML")
        }
        return text
    }

    private func error(_ reason: String) -> MarkupError {
        let line = 1 + bytes[..<min(position, bytes.count)].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        return MarkupError(file: file, line: line, reason: reason)
    }
}
