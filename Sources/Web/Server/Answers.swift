package import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with JSON bodies, with the headers that belong to their kind.
extension Response {
    /// An answer with a JSON body.
    package static func json(
        _ body: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
        contentType: String = "application/json"
    ) -> Response {
        var headers = headers
        headers[.contentType] = contentType
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// A response on a public route: the same for every caller, kept by caches for less than five minutes, with a hash
    /// of public values as its entity tag.
    /// - Parameter caching: another policy, for what changes by itself.
    /// - Throws: `ProblemDetails` for an `If-None-Match` that cannot be read.
    package static func publicRepresentation(
        _ body: [UInt8], for request: Request, headers: HTTPFields = [:], contentType: String = "application/json",
        caching: CachePolicy = .publicMinutes
    ) throws(ProblemDetails) -> Response {
        var headers = headers
        headers[.cacheControl] = caching.rawValue
        return try conditional(body, EntityTag(body: body), request, headers, contentType)
    }

    /// An answer with a resource of the caller's own.
    /// - Parameter version: the version of the stream that is represented.
    /// - Throws: `ProblemDetails` for an `If-None-Match` that cannot be read.
    package static func ownRepresentation(
        _ body: [UInt8], version: Int, for request: Request, status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) throws(ProblemDetails) -> Response {
        let tag = EntityTag(version: version, body: body)
        guard request.method == .get || request.method == .head else {
            var headers = headers
            headers[.eTag] = tag.headerValue
            return .json(body, status: status, headers: headers)
        }
        return try conditional(body, tag, request, headers, "application/json")
    }

    /// The same response without its body, for `HEAD`. A streamed response has no `Content-Length`, not even 0.
    /// - Source: RFC 9110 section 8.6.
    var withoutBody: Response {
        let isUnknown = body.contentLength == nil && headers[.contentLength] == nil
        return isUnknown ? .head(status, headers) : createHeadResponse()
    }

    /// A response to `HEAD` for a body of unknown length.
    package static func head(_ status: HTTPResponse.Status, _ headers: HTTPFields) -> Response {
        Response(status: status, headers: headers, body: ResponseBody { writer in try await writer.finish(nil) })
    }

    private static func conditional(
        _ body: [UInt8], _ tag: EntityTag, _ request: Request, _ headers: HTTPFields, _ contentType: String
    ) throws(ProblemDetails) -> Response {
        var headers = headers
        headers[.eTag] = tag.headerValue
        if let condition = try EntityTagCondition(.ifNoneMatch, in: request.headers), condition.matches(tag) {
            return Response(status: .notModified, headers: headers)
        }
        return .json(body, headers: headers, contentType: contentType)
    }
}

extension HTTPFields {
    /// Names a request header on which the response depends, so that caches keep one for each of its values.
    package mutating func vary(by name: HTTPField.Name) {
        self[.vary] = (self[.vary].map { $0 + ", " } ?? "") + name.rawName
    }

    /// Links to the page behind a cursor.
    /// - Parameters:
    ///   - request: the request of this page, whose other parameters the next one keeps.
    ///   - token: the cursor; nil on the last page.
    /// - Source: RFC 8288.
    package mutating func link(next token: String?, of request: Request) {
        guard let token else { return }
        let kept = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("after=") && $0 != "after" }
        let query = (kept.map(String.init) + ["after=\(token)"]).joined(separator: "&")
        self[.link] = "<\(request.uri.path)?\(Self.linkSafe(query))>; rel=\"next\""
    }

    /// Characters that may not be between the angle brackets of a link are percent-encoded.
    private static func linkSafe(_ query: String) -> String {
        query.reduce(into: "") { text, character in
            switch character {
            case "<": text += "%3C"
            case ">": text += "%3E"
            default: text.append(character)
            }
        }
    }
}

/// The caching of a response.
package enum CachePolicy: String, Sendable {
    /// Public representations are kept for four and a half minutes. Even with the lag that a standby may have,
    /// restrictions take effect everywhere within five.
    case publicMinutes = "public, max-age=270, must-revalidate"
    /// Private representations, and every response that is not a representation.
    case privateNoStore = "private, no-store"
    /// Public answers that caches must not keep: those that change by themselves, and bytes that may have to vanish.
    case noStore = "no-store"
}
