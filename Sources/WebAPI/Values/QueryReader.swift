package import Domain
package import Hummingbird

/// Takes the query parameters of a request one by one and gathers everything that is wrong with them.
///
/// Names and values are percent-decoded, with "+" for a space as forms write it. A parameter that stands twice or that
/// nobody asked for is a fault: silently ignored, a misspelt filter would answer another question.
package struct QueryReader {
    private var parameters: [(name: String, value: String)] = []
    private var taken: Set<String> = []
    /// What is wrong so far.
    package private(set) var faults: [ProblemFault] = []

    /// Starts reading a request's query.
    package init(_ request: Request) {
        self.init(query: request.uri.query ?? "")
    }

    init(query: String) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts[0])
            guard let name, let value = PercentEncoding.decode(parts.count == 2 ? parts[1] : "") else {
                note(name ?? "", RuleViolation(.format, "must be percent-encoded UTF-8 without the character U+0000"))
                continue
            }
            parameters.append((name, value))
        }
    }

    /// A parameter that may be missing. Nil also when it is faulty, which is noted.
    package mutating func optional<Value>(
        _ name: String, _ make: (String) throws(RuleViolation) -> Value
    ) -> Value? {
        taken.insert(name)
        let values = parameters.filter { $0.name == name }
        guard let first = values.first else { return nil }
        guard values.count == 1 else {
            note(name, RuleViolation(.conflict, "must stand only once"))
            return nil
        }
        do throws(RuleViolation) {
            return try make(first.value)
        } catch {
            note(name, error)
            return nil
        }
    }

    /// Notes a rule that a parameter breaks, found by other means.
    package mutating func note(_ name: String, _ violation: RuleViolation) {
        faults.append(ProblemFault(.parameter(name), violation))
    }

    /// Ends the reading: notes the parameters that nobody asked for.
    /// - Throws: `ProblemDetails` if anything was wrong.
    package mutating func finish() throws(ProblemDetails) {
        for parameter in parameters where taken.insert(parameter.name).inserted {
            note(parameter.name, RuleViolation(.unexpected, "is not known here"))
        }
        guard faults.isEmpty else { throw ProblemDetails(.invalidParameter, errors: faults) }
    }
}

extension QueryReader {
    /// Refuses any parameter, for what takes none.
    /// - Throws: `ProblemDetails` naming what was given.
    static func expectNone(in request: Request) throws(ProblemDetails) {
        guard request.uri.query != nil else { return }
        var query = QueryReader(request)
        try query.finish()
    }

    /// How many items a page shall have.
    mutating func pageLimit() -> Int {
        (optional("limit", PageLimit.init(_:)) ?? .standard).value
    }
}

/// The encoding of query strings.
enum PercentEncoding {
    /// Nil for a broken escape, bytes that are not UTF-8, and NUL.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
                else { return nil }
                bytes.append(high << 4 | low)
            default:
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Everything but what RFC 3986 calls unreserved is escaped.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
