package import Domain
package import HTTPTypes
package import JSON

/// One thing wrong with a request: where, which sort of rule, and the rule in words.
package struct ProblemFault: Hashable, Sendable, JSONRepresentable {
    /// Where in the request something is wrong.
    package enum Place: Hashable, Sendable {
        /// In the body, at a JSON pointer.
        case pointer(String)
        /// In a query or path parameter.
        case parameter(String)
        /// In a header.
        case header(String)
    }

    /// Where it is.
    package let place: Place
    /// The sort of rule, for programs.
    package let code: String
    /// The rule in words; it never repeats the value.
    package let detail: String

    /// Joins a place with the rule that is broken there.
    package init(_ place: Place, code: String, detail: String) {
        self.place = place
        self.code = code
        self.detail = detail
    }

    /// Joins a place with the rule that is broken there.
    package init(_ place: Place, _ violation: RuleViolation) {
        self.init(place, code: violation.code.rawValue, detail: violation.message)
    }

    /// Writes where the error is, its code and its detail.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch place {
            case .pointer(let pointer): writer.field("pointer", pointer)
            case .parameter(let name): writer.field("parameter", name)
            case .header(let name): writer.field("header", name)
            }
            writer.field("code", code)
            writer.field("detail", detail)
        }
    }
}

/// A problem as an answer reports it, and as routes throw it.
/// - Source: RFC 9457.
package struct ProblemDetails: Error, Hashable, Sendable {
    /// The kind of problem.
    package let type: ProblemType
    /// What is particular to this occurrence, in words; never what the client sent.
    package var detail: String?
    /// Every fault, where there can be several.
    package var errors: [ProblemFault]
    /// Headers that belong to the problem, such as `Allow` or `Retry-After`.
    package var headers: HTTPFields
    /// Whether the client's own requests caused it: it counts towards the quotas, although it is a 503.
    package var isOwn = false

    /// Whether the request counts towards the quotas.
    var counts: Bool { type.status != .serviceUnavailable || isOwn }

    /// Makes a problem of a kind.
    package init(
        _ type: ProblemType, detail: String? = nil, errors: [ProblemFault] = [], headers: HTTPFields = [:]
    ) {
        self.type = type
        self.detail = detail
        self.errors = errors
        self.headers = headers
    }

    /// The JSON form.
    /// - Parameter instance: the id of the request in which the problem occurred.
    package func body(instance: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 256 + 128 * min(errors.count, Self.mostErrors))
        writer.object { writer in
            writer.field("type", type.uri)
            writer.field("title", type.title)
            writer.field("status", type.status.code)
            if let detail = detail ?? cutShort { writer.field("detail", detail) }
            writer.field("instance", instance)
            if !errors.isEmpty { writer.field("errors", Array(errors.prefix(Self.mostErrors))) }
        }
        return writer.bytes
    }

    /// The most faults that a problem lists: a small request can have thousands.
    static let mostErrors = 100

    private var cutShort: String? {
        errors.count > Self.mostErrors ? "The first \(Self.mostErrors) of \(errors.count) errors are listed." : nil
    }
}

extension ProblemDetails {
    /// A header that cannot have the value it has.
    package static func header(_ name: HTTPField.Name, _ message: String) -> ProblemDetails {
        ProblemDetails(
            .invalidHeader,
            errors: [ProblemFault(.header(name.rawName), code: FaultCode.format.rawValue, detail: message)])
    }

    /// The service cannot do it now, but may be able to in a while.
    /// - Parameters:
    ///   - seconds: how long to wait before trying again.
    ///   - isOwn: whether other requests of the client's are the cause.
    package static func unavailable(
        _ type: ProblemType = .unavailable, detail: String? = nil, retryAfter seconds: Int = 1, isOwn: Bool = false
    ) -> ProblemDetails {
        var problem = ProblemDetails(type, detail: detail, headers: [.retryAfter: String(seconds)])
        problem.isOwn = isOwn
        return problem
    }
}

/// An error that knows which problem it is. Errors of the layers below conform where they meet HTTP: here.
package protocol ProblemConvertible: Error {
    /// The problem to report.
    var problem: ProblemDetails { get }
}

extension ProblemDetails: ProblemConvertible {
    package var problem: ProblemDetails { self }
}
