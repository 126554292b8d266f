/// The limits of a JSON document, and how strictly it is read.
package struct JSONLimits: Sendable {
    /// How deeply arrays and objects may be nested. 64 levels fit any thread's stack.
    package let depth: Int
    /// How many bytes a document may have.
    package let bytes: Int
    /// Whether a name may be repeated in an object. Readers differ in what that means, so requests may not.
    package let allowsRepeatedNames: Bool

    package init(depth: Int = 64, bytes: Int = .max, allowsRepeatedNames: Bool = false) {
        self.depth = depth
        self.bytes = bytes
        self.allowsRepeatedNames = allowsRepeatedNames
    }
}

/// Bytes that are not the JSON this service reads: no JSON at all, or JSON that two readers may understand differently.
package struct MalformedJSON: Error, Hashable, Sendable {
    /// The offset of the fault, in bytes.
    package let offset: Int
    /// The rule, in words; it never repeats what was sent.
    package let reason: String
    /// The names and indexes that lead to the value being read, innermost first, as the parser unwinds.
    private var path: [String] = []

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// The place of the fault, as far as the parser knows: a JSON pointer, "" for the whole document.
    package var pointer: String {
        JSONPointer.text(path.reversed())
    }

    /// The same fault, seen from the object or array that holds the value.
    func within(_ token: String) -> MalformedJSON {
        var fault = self
        fault.path.append(token)
        return fault
    }
}

/// Places within a JSON document.
/// - Source: RFC 6901.
package enum JSONPointer {
    /// The pointer that leads through object members and array items of these names, escaped.
    /// - Source: RFC 6901 section 3: "~" is written "~0" and "/" is written "~1".
    package static func text(_ tokens: some Sequence<String>) -> String {
        tokens.reduce(into: "") { pointer, token in
            pointer.append("/")
            for character in token {
                switch character {
                case "~": pointer.append("~0")
                case "/": pointer.append("~1")
                default: pointer.append(character)
                }
            }
        }
    }
}
