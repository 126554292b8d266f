import Bytes
package import Domain
package import Hummingbird

/// Reads the query parameters of a request one by one and collects all their faults.
///
/// Names and values are percent-decoded, with "+" for a space as in forms. Repeated and unknown parameters are
/// faults: ignoring a misspelt filter would return the wrong result.
package struct QueryReader {
    private var parameters: [(name: String, value: String)] = []
    private var taken: Set<String> = []
    /// The faults so far.
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

    /// A parameter that may be missing. Nil also if it is faulty, which is noted.
    package mutating func optional<Value>(
        _ name: String, _ make: (String) throws(RuleViolation) -> Value
    ) -> Value? {
        taken.insert(name)
        let values = parameters.filter { $0.name == name }
        guard let first = values.first else { return nil }
        guard values.count == 1 else {
            note(name, RuleViolation(.conflict, "must appear only once"))
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

    /// Ends the reading: notes unknown parameters.
    /// - Throws: `ProblemDetails` if there are any faults.
    package mutating func finish() throws(ProblemDetails) {
        for parameter in parameters where taken.insert(parameter.name).inserted {
            note(parameter.name, RuleViolation(.unexpected, "is not a parameter of this route"))
        }
        guard faults.isEmpty else { throw ProblemDetails(.invalidParameter, errors: faults) }
    }
}

extension QueryReader {
    /// Rejects any parameter, for routes that take none.
    /// - Throws: `ProblemDetails` with the parameters that were given.
    package static func expectNone(in request: Request) throws(ProblemDetails) {
        guard request.uri.query != nil else { return }
        var query = QueryReader(request)
        try query.finish()
    }

    /// The region that is asked for; nil for none.
    package mutating func region(of places: PlaceIndex) -> RegionCode? {
        optional("region") { (text) throws(RuleViolation) in
            try places.region(try RegionCode(text)).code
        }
    }

    /// The requested number of items on a page.
    package mutating func pageLimit() -> Int {
        (optional("limit", PageLimit.init(_:)) ?? .standard).value
    }
}
