package import HTTPTypes

/// The kinds of problems that answers report, one catalogue for the whole API.
///
/// The raw value is the slug that ends the problem's `type`. A slug and its title never change once published; what is
/// particular to one occurrence goes into `detail` and `errors`.
/// - Source: RFC 9457.
package enum ProblemType: String, CaseIterable, Sendable {
    case badRequest = "bad-request"
    case malformedJSON = "malformed-json"
    case invalidParameter = "invalid-parameter"
    case invalidHeader = "invalid-header"
    case idempotencyKeyRequired = "idempotency-key-required"
    case logPositionUnknown = "log-position-unknown"
    case unauthenticated = "unauthenticated"
    case wrongCredentials = "wrong-credentials"
    case forbidden = "forbidden"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case conflict = "conflict"
    case emailTaken = "email-taken"
    case withdrawn = "withdrawn"
    case epochChanged = "epoch-changed"
    case gone = "gone"
    case preconditionFailed = "precondition-failed"
    case contentTooLarge = "content-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case validationFailed = "validation-failed"
    case idempotencyKeyReused = "idempotency-key-reused"
    case positionInFuture = "position-in-future"
    case preconditionRequired = "precondition-required"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal-error"
    case notImplemented = "not-implemented"
    case unavailable = "unavailable"
    case modelBehind = "model-behind"

    /// The URI that names the problem, relative to the service, where it answers with the catalogue's entry.
    package var uri: String { "/problems/\(rawValue)" }

    /// The HTTP status.
    package var status: HTTPResponse.Status { entry.status }

    /// A short name that never differs between occurrences.
    package var title: String { entry.title }
}
