package import HTTPTypes

/// Header names that the HTTP types do not come with. They are made of fixed tokens, so making them cannot fail.
extension HTTPField.Name {
    /// The client's UUID for a request that changes something.
    package static let idempotencyKey = made("Idempotency-Key")
    /// A sealed position of the log: of the write that is answered, or to be reached before a read is.
    package static let logPosition = made("Log-Position")
    /// The sealed position up to which restrictions were applied to an answer.
    package static let restrictionPosition = made("Restriction-Position")
    /// How a request wants to be handled.
    /// - Source: RFC 7240.
    package static let prefer = made("Prefer")
    /// Which preferences were followed.
    package static let preferenceApplied = made("Preference-Applied")
    /// The state of the quota.
    /// - Source: draft-ietf-httpapi-ratelimit-headers.
    package static let rateLimit = made("RateLimit")
    /// The size of the quota.
    package static let rateLimitPolicy = made("RateLimit-Policy")
    /// The id of the request.
    package static let requestID = made("X-Request-Id")
    /// The chain of proxies a request came through.
    package static let forwardedFor = made("X-Forwarded-For")
    /// The protocol by which a request came to the first proxy.
    package static let forwardedProto = made("X-Forwarded-Proto")
    /// The media types that a `PATCH` may have.
    /// - Source: RFC 5789.
    package static let acceptPatch = made("Accept-Patch")
    /// The origins that may frame the answer, and those that it may load from.
    package static let framing = made("Content-Security-Policy")
    /// Whether the address of this page goes along with links from it.
    package static let referrerPolicy = made("Referrer-Policy")
    /// Whether a request has the last bytes of an upload, or all have arrived: `?1` or `?0`.
    /// - Source: draft-ietf-httpbis-resumable-upload-14, as are the other names of uploads.
    package static let uploadComplete = made("Upload-Complete")
    /// The number of bytes of an upload that have arrived.
    package static let uploadOffset = made("Upload-Offset")
    /// The total number of bytes of an upload.
    package static let uploadLength = made("Upload-Length")
    /// The maximum size of an upload, and the time it is kept.
    package static let uploadLimit = made("Upload-Limit")
    /// The version of the draft that a client follows.
    package static let uploadDraftVersion = made("Upload-Draft-Interop-Version")
    /// The number of the last notification that a client of a stream has seen.
    /// - Source: the HTML standard, section 9.2.
    package static let lastEventID = made("Last-Event-ID")
    /// `no`: nginx must not collect a response.
    package static let accelBuffering = made("X-Accel-Buffering")
    /// Links to related resources (RFC 8288).
    package static let link = made("Link")

    /// The hash of the whole representation, whatever range of it is sent.
    /// - Source: RFC 9530.
    package static let reprDigest = made("Repr-Digest")

    private static func made(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a header name of the API is no token") }
        return name
    }
}

extension HTTPRequest.Method {
    /// The methods that mean something to this service; to all others it says 501.
    /// - Source: RFC 9110 section 9.1.
    package static let known: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]
}
