internal import Bytes
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
            let name = PercentEncoding.decode(query: parts[0])
            guard let name, let value = PercentEncoding.decode(query: parts.count == 2 ? parts[1] : "") else {
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
