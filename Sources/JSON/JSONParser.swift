/// Reads a JSON document strictly and in one pass.
///
/// No comments, no trailing commas, no byte order mark, no lone surrogates, no numbers beyond what a `Double` holds, no
/// depth without bound; no name twice in one object unless the limits allow it. Whatever the bytes are, it returns or
/// throws.
/// - Source: RFC 8259; RFC 7493 (I-JSON) for what is rejected beyond it.
struct JSONParser {
    let bytes: [UInt8]
    var index = 0
    private var depth = 0
    private let limits: JSONLimits

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// - Throws: ``MalformedJSON`` for the first thing that is wrong.
    mutating func document() throws(MalformedJSON) -> JSONValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw fault("nothing may follow the document") }
        return value
    }

    private mutating func value() throws(MalformedJSON) -> JSONValue {
        skipSpace()
        guard let next else { throw fault("the document ends where a value is expected") }
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw fault("a value is expected")
        }
    }

    private mutating func object() throws(MalformedJSON) -> JSONValue {
        try descend()
        var names = MemberNames()
        var members: [JSONMember] = []
        skipSpace()
        if take("}") { return ascend(.object([])) }
        members.reserveCapacity(8)
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("the name of a member is expected") }
            let start = index
            let name = try string()
            guard limits.allowsRepeatedNames || names.insert(name, beside: members) else {
                throw MalformedJSON(offset: start, reason: "a name may occur only once in an object").within(name)
            }
            skipSpace()
            guard take(":") else { throw fault("a colon is expected").within(name) }
            do {
                members.append(JSONMember(name, try value()))
            } catch {
                throw error.within(name)
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw fault("a comma or the end of the object is expected") }
        return ascend(.object(members))
    }

    private mutating func array() throws(MalformedJSON) -> JSONValue {
        try descend()
        var items: [JSONValue] = []
        skipSpace()
        if take("]") { return ascend(.array([])) }
        repeat {
            do {
                items.append(try value())
            } catch {
                throw error.within(String(items.count))
            }
            skipSpace()
        } while take(",")
        guard take("]") else { throw fault("a comma or the end of the array is expected") }
        return ascend(.array(items))
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(MalformedJSON) -> JSONValue {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ bytes[index..<end].elementsEqual($0) }) else {
            throw fault("a value is expected")
        }
        index = end
        return value
    }

    private mutating func descend() throws(MalformedJSON) {
        guard depth < limits.depth else { throw fault("nested more than \(limits.depth) levels deep") }
        depth += 1
        index += 1
    }

    private mutating func ascend(_ value: JSONValue) -> JSONValue {
        depth -= 1
        return value
    }
}

extension JSONParser {
    /// The next byte, nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Takes one ASCII character, if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    func fault(_ reason: String) -> MalformedJSON {
        MalformedJSON(offset: index, reason: reason)
    }
}

/// The names of one object's members so far, to find repeated ones.
///
/// Comparing with each is fastest for the few members an ordinary object has; a set takes over where a client sends
/// thousands to make it slow.
private struct MemberNames {
    private var set: Set<String> = []
    private static let fewest = 24

    mutating func insert(_ name: String, beside members: [JSONMember]) -> Bool {
        if members.count < Self.fewest { return !members.contains { $0.name == name } }
        if set.isEmpty { set = Set(members.map(\.name)) }
        return set.insert(name).inserted
    }
}
