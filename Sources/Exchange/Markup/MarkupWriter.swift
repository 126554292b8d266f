/// Writes a small XML document, in UTF-8, with one element a line.
///
/// Text and attributes may be anything: what XML reserves is escaped, and what it has no form for becomes a space.
///
/// - Source: Extensible Markup Language 1.0, fifth edition, sections 2.2 and 2.4.
struct MarkupWriter {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    private var depth = 0

    /// An element with others inside it.
    mutating func element(
        _ name: StaticString, _ attributes: [(StaticString, String)] = [], _ content: (inout MarkupWriter) -> Void
    ) {
        open(name, attributes, end: ">\n")
        depth += 1
        content(&self)
        depth -= 1
        indent()
        close(name)
    }

    /// An element with text, or with nothing when the text is nil.
    mutating func leaf(_ name: StaticString, _ attributes: [(StaticString, String)] = [], _ text: String? = nil) {
        guard let text else { return open(name, attributes, end: "/>\n") }
        open(name, attributes, end: ">")
        bytes.append(contentsOf: Self.escaped(text).utf8)
        close(name)
    }

    /// Text with what XML reserves escaped, in text as well as in attributes with double quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result.unicodeScalars.append(" ")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private mutating func open(_ name: StaticString, _ attributes: [(StaticString, String)], end: StaticString) {
        indent()
        append("<")
        append(name)
        for (attribute, value) in attributes {
            append(" ")
            append(attribute)
            append("=\"")
            bytes.append(contentsOf: Self.escaped(value).utf8)
            append("\"")
        }
        append(end)
    }

    private mutating func close(_ name: StaticString) {
        append("</")
        append(name)
        append(">\n")
    }

    private mutating func indent() {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}
