import Bytes
package import Domain
package import Hummingbird

/// Reads the query parameters of a request one by one and collects all their faults.
///
/// Names and values are percent-decoded, with "+" for a space as in forms. Repeated and unknown parameters are
/// faults: ignoring a misspelt filter would return the wrong result.
package struct QueryReader: FieldReader {
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

    /// Its absence is noted only if there is no fault so far: one that cannot be decoded may be the missing one.
    package mutating func required<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        let value = optional(name, type, make)
        if value == nil, faults.isEmpty { note(name, .required) }
        return value
    }

    package mutating func optional<Given: FieldValue, Value>(
        _ name: String, _ type: Given.Type, _ make: (Given) throws(RuleViolation) -> Value
    ) -> Value? {
        taken.insert(name)
        let values = parameters.filter { $0.name == name }
        guard let first = values.first else { return nil }
        guard values.count == 1 else {
            note(name, RuleViolation(.conflict, "must appear only once"))
            return nil
        }
        do throws(RuleViolation) {
            return try make(try Given(field: first.value))
        } catch {
            note(name, error)
            return nil
        }
    }

    /// Words separated by commas.
    package mutating func optionalWords<Value>(
        _ name: String, count: ClosedRange<Int>, _ make: (String) throws(RuleViolation) -> Value
    ) -> [Value]? {
        optional(name) { (text) throws(RuleViolation) in
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            guard count.contains(words.count) else { throw .itemCount(count) }
            var values: [Value] = []
            for word in words { values.append(try make(String(word))) }
            return values
        }
    }

    package mutating func note(_ name: String, _ violation: RuleViolation) {
        faults.append(ProblemFault(.parameter(name), violation))
    }

    /// Whether there are faults, unknown parameters among them.
    package var hasFaults: Bool { !faults.isEmpty || parameters.contains { !taken.contains($0.name) } }

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

    /// The requested number of items on a page.
    package mutating func pageLimit() -> Int {
        (optional("limit", PageLimit.init(_:)) ?? .standard).value
    }
}
