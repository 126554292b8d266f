internal import Domain

/// Bytes that are not the JSON this service reads: no JSON at all, or JSON that two readers may understand differently.
package struct MalformedJSON: Error, Hashable, Sendable {
    /// How many bytes before the fault were in order.
    package let offset: Int
    /// The rule, in words; it never repeats what was sent.
    package let reason: String
    /// The names and indexes that lead to the value being read, innermost first, as the parser unwinds.
    private var path: [String] = []

    init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// Where the fault is, as far as could be told: a JSON pointer, "" for the whole document.
    package var pointer: String {
        path.reversed().reduce(into: "") { $0 += Fault.pointer($1) }
    }

    /// The same fault, seen from the object or array that holds the value.
    func within(_ token: String) -> MalformedJSON {
        var fault = self
        fault.path.append(token)
        return fault
    }
}
