import Domain
import HTTPTypes
import Hummingbird
import NIOCore
import Service
import Web

extension Response {
    /// Reads a whole file; returns nil for one that must be streamed.
    typealias PhotoContent = (PhotoFile) async throws -> ByteBuffer?

    /// A file of a photo; a rendition as a WebP for clients that prefer it, where there is one or it can be made now.
    /// - Parameters:
    ///   - policy: public photos may be kept for minutes, all others not at all.
    ///   - content: for small files; all files are streamed by default.
    /// - Throws: `ProblemDetails` (400, 416); what the store throws.
    static func photo(
        _ file: PhotoFile, _ webPs: ConversionCache, for request: Request, _ policy: CachePolicy,
        content: PhotoContent = { _ in nil }
    ) async throws -> Response {
        guard file.isRendition else { return try await bytes(of: file, for: request, policy, content) }
        var response = try await rendition(file, webPs, for: request, policy, content)
        response.headers.vary(by: .accept)
        return response
    }

    private static func rendition(
        _ jpeg: PhotoFile, _ webPs: ConversionCache, for request: Request, _ policy: CachePolicy,
        _ content: PhotoContent
    ) async throws -> Response {
        if request.headers.prefers(ImageType.webp.rawValue, to: jpeg.mediaType.rawValue),
            let webP = await webPs.file(of: jpeg)
        {
            do {
                return try await bytes(of: webP, for: request, policy, content)
            } catch CommandError.notFound {
                // It has left the cache since.
                await webPs.forget(jpeg)
            }
        }
        return try await bytes(of: jpeg, for: request, policy, content)
    }

    /// The bytes of a photo: whole, or the part that `Range` asks for. The digest is the entity tag, so a
    /// client that has the bytes does not get them again.
    private static func bytes(
        of file: PhotoFile, for request: Request, _ policy: CachePolicy, _ content: PhotoContent
    ) async throws -> Response {
        let tag = EntityTag(opaque: file.tag)
        var headers: HTTPFields = [
            .contentType: file.mediaType.rawValue, .eTag: tag.headerValue, .cacheControl: policy.rawValue,
            .acceptRanges: "bytes",
        ]
        if let condition = try EntityTagCondition(.ifNoneMatch, in: request.headers), condition.matches(tag) {
            return Response(status: .notModified, headers: headers)
        }
        // Other methods have no ranges: RFC 9110 section 14.2.
        guard request.method == .get, let range = try ByteRange(request.headers, tag: tag, size: file.size) else {
            headers[.contentLength] = String(file.size)
            return Response(status: .ok, headers: headers, body: try await body(file, nil, content))
        }
        headers[.contentRange] = "bytes \(range.bytes.lowerBound)-\(range.bytes.upperBound - 1)/\(file.size)"
        headers[.contentLength] = String(range.bytes.count)
        return Response(status: .partialContent, headers: headers, body: try await body(file, range.bytes, content))
    }

    private static func body(
        _ file: PhotoFile, _ range: Range<Int>?, _ content: PhotoContent
    ) async throws -> ResponseBody {
        if let whole = try await content(file) {
            let part = range.flatMap { whole.getSlice(at: whole.readerIndex + $0.lowerBound, length: $0.count) }
            return ResponseBody(byteBuffer: part ?? whole)
        }
        let chunks = try await file.chunks(range)
        return ResponseBody(contentLength: range?.count ?? file.size) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
            try await writer.finish(nil)
        }
    }
}

/// The one range of bytes that a request asks for.
/// - Source: RFC 9110 section 14.2.
struct ByteRange: Equatable {
    let bytes: Range<Int>

    /// nil for a request without a range, with several ranges or in another unit, or whose `If-Range` names other
    /// bytes: it gets everything.
    /// - Throws: `ProblemDetails` (416) for a range beyond the end.
    init?(_ headers: HTTPFields, tag: EntityTag, size: Int) throws(ProblemDetails) {
        guard let value = headers[.range], value.hasPrefix("bytes="), !value.contains(",") else { return nil }
        if let condition = headers[.ifRange], condition != tag.headerValue { return nil }
        let ends = value.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last) where first < size && first <= last ?? first:
            // Clamped before the addition, which would overflow for `Int.max`.
            bytes = first..<min(size - 1, last ?? size - 1) + 1
        case (nil, let suffix?) where suffix > 0 && size > 0: bytes = max(0, size - suffix)..<size
        case (nil, nil): return nil
        default:
            throw ProblemDetails(.rangeNotSatisfiable, headers: [.contentRange: "bytes */\(size)"])
        }
    }
}
