package import HTTPTypes
import JSON

/// A kind of problem that answers report. The kinds are listed below, ordered by status; `docs/problems.md` is
/// generated from ``allCases``.
/// - Source: RFC 9457.
package struct ProblemType: Hashable, CustomStringConvertible, Sendable {
    /// The end of the problem's `type`; it never changes once published.
    let slug: String
    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// A short name, the same for every occurrence; what is particular to one goes into `detail` and `errors`.
    let title: String
    /// What happened, and what a client can do about it.
    let meaning: String
    /// The Swift errors that become this problem, beside `ProblemDetails` itself.
    let errors: [String]

    /// The URI that names the problem, relative to the service, which answers it with the problem's meaning.
    var uri: String { "/problems/\(slug)" }

    package var description: String { slug }

    private init(
        _ slug: String, _ status: HTTPResponse.Status, _ title: String, _ meaning: String, from errors: [String] = []
    ) {
        self.slug = slug
        self.status = status
        self.title = title
        self.meaning = meaning
        self.errors = errors
    }

    package static func == (one: ProblemType, other: ProblemType) -> Bool { one.slug == other.slug }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(slug)
    }
}

extension ProblemType: CaseIterable {
    package static let allCases = [
        badRequest, malformedJSON, invalidParameter, invalidHeader, idempotencyKeyRequired, logPositionUnknown,
        unauthenticated, wrongCredentials, forbidden, notFound, methodNotAllowed, conflict, emailTaken, withdrawn,
        epochChanged, gone, preconditionFailed, contentTooLarge, unsupportedMediaType, validationFailed,
        idempotencyKeyReused, positionInFuture, preconditionRequired, tooManyRequests, internalError, notImplemented,
        unavailable, modelBehind,
    ]
}

extension ProblemType {
    static let badRequest = ProblemType(
        "bad-request", .badRequest, "Invalid request", "The service cannot read the request as HTTP.",
        from: ["HTTPError"])
    static let malformedJSON = ProblemType(
        "malformed-json", .badRequest, "Malformed JSON",
        "The body is not a JSON document, or parsers may disagree about it: a duplicate name in an object, an unpaired "
            + "surrogate, a number too large for a 64-bit float, more than 16 levels of nesting. `errors` gives the "
            + "JSON pointer and the byte at which reading stopped.",
        from: ["MalformedJSON"])
    static let invalidParameter = ProblemType(
        "invalid-parameter", .badRequest, "Invalid parameter",
        "A query parameter is unknown, repeated, missing or has an invalid value; `errors` lists all of them.",
        from: ["QueryReader"])
    static let invalidHeader = ProblemType(
        "invalid-header", .badRequest, "Invalid header",
        "A request header has an invalid value; `errors` names the header and the rule.")
    static let idempotencyKeyRequired = ProblemType(
        "idempotency-key-required", .badRequest, "Missing Idempotency-Key",
        "A request that changes something needs an `Idempotency-Key` header with a UUID made by the client. The same "
            + "request with the same key returns the first outcome, so a request whose answer was lost can be sent "
            + "again.")
    static let logPositionUnknown = ProblemType(
        "log-position-unknown", .badRequest, "Log position above the head",
        "`Log-Position` or `asOf` is above the head of the log. This service never returned such a position.")

    static let unauthenticated = ProblemType(
        "unauthenticated", .unauthorized, "Authentication required",
        "The access token in `Authorization` is missing, malformed, expired or revoked. Refresh the session or log in "
            + "again.",
        from: ["AccessTokenRejected"])
    static let wrongCredentials = ProblemType(
        "wrong-credentials", .unauthorized, "Wrong credentials",
        "No account has this e-mail and password, or the refresh token is unknown, used or expired.")
    static let forbidden = ProblemType(
        "forbidden", .forbidden, "Missing role", "The account lacks the role that `detail` names.")
    static let notFound = ProblemType(
        "not-found", .notFound, "Not found", "The resource does not exist, or the caller may not see it.",
        from: ["HTTPError"])
    static let methodNotAllowed = ProblemType(
        "method-not-allowed", .methodNotAllowed, "Method not allowed",
        "The path exists but does not support this method; `Allow` lists the methods it supports.")

    static let conflict = ProblemType(
        "conflict", .conflict, "Conflict with the current state",
        "The current state of the resource does not allow the request.")
    static let emailTaken = ProblemType(
        "email-taken", .conflict, "E-mail already in use",
        "Another account has this e-mail. Upper and lower case count as the same.")
    static let withdrawn = ProblemType(
        "withdrawn", .conflict, "Sighting already withdrawn",
        "The sighting has been withdrawn, also if this key first submitted it. A new sighting needs a new key.")
    static let epochChanged = ProblemType(
        "epoch-changed", .conflict, "Log position of an earlier epoch",
        "The log has been restored from a backup or has failed over since the position was returned. Discard all saved "
            + "positions and entity tags and read again.")
    static let gone = ProblemType(
        "gone", .gone, "Permanently removed",
        "The resource was withdrawn for privacy, erased or redacted. It does not come back.")
    static let preconditionFailed = ProblemType(
        "precondition-failed", .preconditionFailed, "Outdated If-Match",
        "The version in `If-Match` is not the current one. Read the resource again, decide whether the change still "
            + "applies, and send the new `ETag`.")
    static let contentTooLarge = ProblemType(
        "content-too-large", .contentTooLarge, "Request body too large",
        "A body may have at most 64 KiB, a batch of sightings 1 MiB.", from: ["NIOTooManyBytesError"])
    static let unsupportedMediaType = ProblemType(
        "unsupported-media-type", .unsupportedMediaType, "Unsupported media type",
        "A body must be `application/json` in UTF-8; `PATCH` also accepts `application/merge-patch+json`. `Accept` or "
            + "`Accept-Patch` lists the accepted types.")

    static let validationFailed = ProblemType(
        "validation-failed", .unprocessableContent, "Invalid values",
        "The body is valid JSON but breaks rules. `errors` lists every fault with the JSON pointer of the value, a "
            + "code for programs and the rule in words.",
        from: ["Faults"])
    static let idempotencyKeyReused = ProblemType(
        "idempotency-key-reused", .unprocessableContent, "Idempotency-Key of another request",
        "A request with other content has already used this `Idempotency-Key`. Make a new key.")
    static let positionInFuture = ProblemType(
        "position-in-future", .unprocessableContent, "asOf in the future", "`asOf` must not be a time in the future.")
    static let preconditionRequired = ProblemType(
        "precondition-required", .preconditionRequired, "Missing If-Match",
        "A change needs the `ETag` of the representation it is based on in `If-Match`.")
    static let tooManyRequests = ProblemType(
        "too-many-requests", .tooManyRequests, "Too many requests",
        "The client or the account has used up its quota. `Retry-After` gives the seconds to wait; `RateLimit` and "
            + "`RateLimit-Policy` give the state and the size of the quota.")

    static let internalError = ProblemType(
        "internal-error", .internalServerError, "Internal error",
        "The service has failed. Its log has the details under the id in `instance`.", from: ["any other error"])
    static let notImplemented = ProblemType(
        "not-implemented", .notImplemented, "Unknown method", "No resource of this service supports the method.")
    static let unavailable = ProblemType(
        "unavailable", .serviceUnavailable, "Service unavailable",
        "The service is overloaded or stopping, or cannot reach the database. Send the request again after "
            + "`Retry-After` seconds, with the same `Idempotency-Key`.",
        from: ["CancellationError"])
    static let modelBehind = ProblemType(
        "model-behind", .serviceUnavailable, "Read model behind",
        "The read model did not reach the required position within two seconds: that of `Log-Position`, of `asOf`, or "
            + "of the account's last write. No write is lost. Send the request again after `Retry-After` seconds.")
}
