package import Domain
package import HTTPTypes
package import Hummingbird
import Service

/// One method of one path.
///
/// From the list of all routes come the router, the answers to other methods, the table in `docs/api.md`, and the tests
/// that hold `openapi.yaml` and the rights of every role against the service.
package struct Route: Sendable {
    /// Answers a request.
    package typealias Handler = @Sendable (Request, APIContext) async throws -> Response

    package let method: HTTPRequest.Method
    /// The whole path, with parameters in braces.
    package let template: String
    package let audience: Audience
    /// What the handler reads from a request besides the path.
    package let inputs: Set<RouteInput>
    /// The scope that an API key needs, if not the one that audience and method entail; nil for that one.
    package let scope: KeyScope?
    /// Every problem that the route may answer with.
    package let problems: Set<ProblemType>
    /// Whether a response goes on until the client or the service ends it.
    package let isLasting: Bool
    private let answer: Handler
    /// Whether suspended accounts may call it.
    private let isForSuspended: Bool

    /// - Parameters:
    ///   - problems: those that neither the audience nor the inputs entail.
    ///   - scope: what an API key needs, if not what audience and method entail.
    ///   - whileSuspended: whether suspended accounts may call it; nil for reads of what is one's own.
    ///   - isLasting: whether a response goes on until the client or the service ends it.
    package init(
        _ method: HTTPRequest.Method, _ template: String, _ audience: Audience, reads inputs: Set<RouteInput> = [],
        problems: Set<ProblemType> = [], scope: KeyScope? = nil, whileSuspended: Bool? = nil, isLasting: Bool = false,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.audience = audience
        self.inputs = inputs
        self.scope = scope
        self.isLasting = isLasting
        let isOwnRead = [.signedIn, .personal].contains(audience) && method == .get
        isForSuspended = !audience.isSignedIn || (whileSuspended ?? isOwnRead)
        let own = isForSuspended ? problems : problems.union([.suspended])
        self.problems = inputs.reduce(into: own.union(audience.problems).union(Self.always)) {
            $0.formUnion($1.problems)
        }
        answer = handler
    }

    /// Answers a request; 403 if the account is suspended and the route does not allow that.
    var handler: Handler {
        if isForSuspended { return answer }
        return { [answer] request, context in
            guard try !context.signedIn().isSuspended else { throw ProblemDetails(.suspended) }
            return try await answer(request, context)
        }
    }

    /// Whether its body is a photo, whatever type the request declares.
    package var takesImage: Bool { inputs.contains(.image) }

    /// `GET /v1/taxa/{id}`, as in `openapi.yaml`.
    package var name: String { "\(method.rawValue) \(template)" }

    /// `default` stands for them in `openapi.yaml`.
    static let always: Set<ProblemType> = [.badRequest, .internalError]
}

/// The callers that a route is for. The audience decides on the access token, the role and the quota.
package enum Audience: CaseIterable, Sendable {
    /// Anyone; no token is looked at, so the answer cannot depend on who asks.
    case anyone
    /// Anyone, for attempts to sign up and to log in: a small quota for each client.
    case credentials
    /// Anyone who may read the mail of an address: a small quota for each client.
    case recovery
    /// Accounts that are signed in, or scripts with one of their API keys.
    case signedIn
    /// Accounts that are signed in; no API keys.
    case personal
    /// Accounts with the role of a moderator or an admin.
    case moderators
    /// Accounts with the role of a researcher or an admin, or scripts with one of their API keys.
    case researchers
    /// Accounts with the role of an admin.
    case admins
    /// Operators: no token, no quota.
    case operators

    /// Whether its routes need an access token.
    var isSignedIn: Bool {
        switch self {
        case .signedIn, .personal, .moderators, .researchers, .admins: true
        case .anyone, .credentials, .recovery, .operators: false
        }
    }

    var problems: [ProblemType] {
        switch self {
        case .anyone, .credentials, .recovery: [.tooManyRequests]
        case .signedIn, .personal: [.unauthenticated, .insufficientScope, .tooManyRequests, .unavailable]
        case .moderators, .researchers, .admins: Audience.signedIn.problems + [.forbidden]
        case .operators: []
        }
    }
}

/// A part of a request that a handler reads besides the path.
package enum RouteInput: CaseIterable, Sendable {
    /// Query parameters, if only to reject all of them.
    case query
    /// A JSON body.
    case body
    /// A photo as body.
    case image
    /// `Idempotency-Key`.
    case key
    /// `If-Match`, which is required.
    case version
    /// `If-Match` of a read, which may be absent.
    case match
    /// `If-None-Match`.
    case tag
    /// `Log-Position`.
    case position
    /// The query parameter `asOf`.
    case asOf
    /// `Last-Event-ID`.
    case lastEvent

    var problems: [ProblemType] {
        switch self {
        case .query: [.invalidParameter]
        case .body: [.malformedJSON, .contentTooLarge, .unsupportedMediaType, .validationFailed]
        case .image: [.contentTooLarge, .unsupportedMediaType, .unreadablePhoto]
        case .key: [.idempotencyKeyRequired, .invalidHeader, .idempotencyKeyReused]
        case .version: [.invalidHeader, .preconditionRequired, .preconditionFailed]
        case .match: [.invalidHeader, .preconditionFailed]
        case .tag, .lastEvent: [.invalidHeader]
        case .position: [.invalidHeader, .logPositionUnknown, .epochChanged, .modelBehind]
        case .asOf: [.invalidParameter, .dayNotOver, .modelBehind]
        }
    }
}

/// Routes that belong together: each group is a file of its own.
package protocol RouteGroup: Sendable {
    var routes: [Route] { get }
}
