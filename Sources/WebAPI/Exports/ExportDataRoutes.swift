import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Service
package import Web

/// The bytes of exports.
package struct ExportDataRoutes: RouteGroup {
    let exports: ExportUseCases
    let log: LogState

    package var routes: [Route] {
        [
            Route(
                .get, "/v1/exports/{id}/data", .anyone, reads: [.query, .position, .match, .tag],
                problems: [
                    .notFound, .gone, .unavailable, .exportNotReady, .exportRestricted, .outputVersion,
                    .rangeNotSatisfiable,
                ], data)
        ]
    }

    private func data(_ request: Request, _ context: APIContext) async throws -> Response {
        let id = try context.exportID()
        var query = QueryReader(request)
        let revision = query.exportRevision()
        try query.finish()
        let file = try await exports.downloads.file(
            of: id, revision: revision, try await Asked(request.headers, log))
        return try await .export(file, named: "export-\(id)-\(file.revision.revision)", for: request)
    }
}

extension QueryReader {
    /// The number of a revision; nil for the newest one.
    mutating func exportRevision() -> Int? {
        optional("revision") { (text) throws(RuleViolation) in
            guard let number = Int(text), (1...1_000_000).contains(number) else {
                throw .wholeNumber(1...1_000_000)
            }
            return number
        }
    }
}

extension Response {
    /// The bytes of a revision: whole, or the part that `Range` asks for; with gzip for clients that accept it and ask
    /// for no part.
    ///
    /// `Repr-Digest` is that of the bytes without gzip, and is left out with it.
    /// - Throws: `ProblemDetails` (400, 412, 416); what the store throws.
    /// - Source: RFC 9110 section 13.2.2 for the order of conditions.
    static func export(_ file: ExportFile, named name: String, for request: Request) async throws -> Response {
        let tag = EntityTag(opaque: file.revision.sha256.text)
        // Other methods have no ranges: RFC 9110 section 14.2.
        let range = Result { () throws(ProblemDetails) in
            request.method == .get ? try ByteRange(request.headers, tag: tag, size: file.size) : nil
        }
        var isWhole = false
        if case .success(nil) = range { isWhole = true }
        let isGzipped = isWhole && !file.isArchive && Compression.acceptsGzip(request.headers)
        let selected = isGzipped ? tag.gzipped : tag
        var headers: HTTPFields = [
            .eTag: selected.headerValue, .cacheControl: CachePolicy.noStore.rawValue, .acceptRanges: "bytes",
        ]
        headers.vary(by: .acceptEncoding)
        if let condition = try EntityTagCondition(.ifMatch, in: request.headers), !condition.matches(selected) {
            throw ProblemDetails(.preconditionFailed)
        }
        // The suffix of a tag with gzip was removed before.
        if let condition = try EntityTagCondition(.ifNoneMatch, in: request.headers), condition.matches(tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = file.contentType
        headers[.contentDisposition] = "attachment; filename=\"\(name).\(file.fileExtension)\""
        if isGzipped {
            headers[.contentEncoding] = "gzip"
            if request.method == .head { return .head(.ok, headers) }
            return Response(status: .ok, headers: headers, body: try await gzipped(file))
        }
        headers[.reprDigest] = "sha-256=:\(Data(file.sha256).base64EncodedString()):"
        let part = try range.get()
        let bytes = part?.bytes ?? 0..<file.size
        headers[.contentLength] = String(bytes.count)
        if part != nil {
            headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(file.size)"
        }
        let status: HTTPResponse.Status = part == nil ? .ok : .partialContent
        if request.method == .head { return Response(status: status, headers: headers) }
        let chunks = try await file.chunks(bytes)
        return Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: bytes.count) { writer in
                for try await chunk in chunks { try await writer.write(chunk) }
                try await writer.finish(nil)
            })
    }

    private static func gzipped(_ file: ExportFile) async throws -> ResponseBody {
        let chunks = try await file.chunks(nil)
        return ResponseBody { writer in
            let gzip = try GzipStream()
            for try await chunk in chunks {
                let bytes = try gzip.compress(chunk.readableBytesView)
                if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
            }
            try await writer.write(ByteBuffer(bytes: try gzip.finish()))
            try await writer.finish(nil)
        }
    }
}

extension EntityTag {
    /// The tag of the same bytes with gzip.
    fileprivate var gzipped: EntityTag { EntityTag(opaque: opaque + "-gzip") }
}
