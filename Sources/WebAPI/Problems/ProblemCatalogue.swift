package import HTTPTypes

/// What the catalogue says about a kind of problem.
package struct ProblemEntry: Sendable {
    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// A short name that never differs between occurrences.
    package let title: String
    /// What happened, and what a client can do about it.
    package let meaning: String
    /// The Swift errors that become this problem, beside `ProblemDetails` itself.
    package let errors: [String]

    init(_ status: HTTPResponse.Status, _ title: String, _ meaning: String, errors: [String] = []) {
        self.status = status
        self.title = title
        self.meaning = meaning
        self.errors = errors
    }
}

extension ProblemType {
    /// The catalogue: one entry a kind.
    package var entry: ProblemEntry {
        switch self {
        case .badRequest, .malformedJSON, .invalidParameter, .invalidHeader, .idempotencyKeyRequired,
            .logPositionUnknown:
            badRequestEntry
        case .unauthenticated, .wrongCredentials, .forbidden, .notFound, .methodNotAllowed, .gone:
            accessEntry
        case .conflict, .emailTaken, .withdrawn, .epochChanged, .preconditionFailed, .preconditionRequired:
            conflictEntry
        case .contentTooLarge, .unsupportedMediaType, .validationFailed, .idempotencyKeyReused, .positionInFuture:
            contentEntry
        case .tooManyRequests, .internalError, .notImplemented, .unavailable, .modelBehind:
            serviceEntry
        }
    }

    private var badRequestEntry: ProblemEntry {
        switch self {
        case .malformedJSON:
            ProblemEntry(
                .badRequest, "The body is not valid JSON",
                "The body is no JSON document, or one that readers may understand differently: a name twice in one "
                    + "object, half of a surrogate pair, a number beyond a 64-bit float, nesting beyond 16 levels. "
                    + "`errors` tells the place, and the byte where reading stopped.",
                errors: ["MalformedJSON"])
        case .invalidParameter:
            ProblemEntry(
                .badRequest, "A parameter is not valid",
                "A query parameter has a value it cannot have, stands twice, or is not known; `errors` lists them all.",
                errors: ["QueryReader"])
        case .invalidHeader:
            ProblemEntry(
                .badRequest, "A header is not valid",
                "A request header has a value it cannot have; `errors` says which and why.")
        case .idempotencyKeyRequired:
            ProblemEntry(
                .badRequest, "An Idempotency-Key is required",
                "Requests that change something carry a UUID of the client's making in `Idempotency-Key`. The same "
                    + "key with the same request finds the first outcome, so a request whose answer was lost can "
                    + "simply be sent again.")
        case .logPositionUnknown:
            ProblemEntry(
                .badRequest, "The log has not reached this position",
                "`Log-Position` names a position above the head of the log. No answer of this service gave it out.")
        default:
            ProblemEntry(
                .badRequest, "The request is not valid", "The request is not valid HTTP as this service reads it.",
                errors: ["HTTPError"])
        }
    }

    private var accessEntry: ProblemEntry {
        switch self {
        case .unauthenticated:
            ProblemEntry(
                .unauthorized, "Authentication is required",
                "There is no access token in `Authorization`, or it is malformed, expired or revoked. Refresh the "
                    + "session or log in again.",
                errors: ["AccessTokenRejected"])
        case .wrongCredentials:
            ProblemEntry(
                .unauthorized, "E-mail or password is wrong",
                "No account has this e-mail with this password, or the refresh token is unknown, used or expired.")
        case .forbidden:
            ProblemEntry(
                .forbidden, "This needs another role", "The account is known, but may not do this; `detail` says why.")
        case .methodNotAllowed:
            ProblemEntry(
                .methodNotAllowed, "The method is not allowed here",
                "The path exists, but has no such method; those that it has stand in `Allow`.")
        case .gone:
            ProblemEntry(
                .gone, "This is no longer available",
                "What stood here was withdrawn for privacy, erased or redacted. It will not come back.")
        default:
            ProblemEntry(
                .notFound, "Nothing is here",
                "There is no such resource, or none that this surface shows.", errors: ["HTTPError"])
        }
    }
}
