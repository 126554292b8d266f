import Domain
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Service
package import Web

/// Photos that arrive in several requests.
///
/// Source: draft-ietf-httpbis-resumable-upload-14; clients of interop version 8 work, too.
package struct UploadRoutes: RouteGroup {
    let uploads: PhotoUploads
    let log: LogState

    package var routes: [Route] {
        let path = "/v1/me/uploads/{id}"
        return [
            // Also serves HEAD.
            Route(.get, path, .signedIn, reads: [.query], problems: [.notFound, .gone], progress),
            Route(
                .patch, path, .signedIn, reads: [.image],
                problems: [
                    .invalidHeader, .notFound, .mismatchingUploadOffset, .completedUpload, .inconsistentUploadLength,
                    .conflict, .withdrawn, .gone, .tooManyPhotos, .photoQuota, .idempotencyKeyReused, .modelBehind,
                ], receive),
            Route(.delete, path, .signedIn, problems: [.notFound, .gone], cancel),
        ]
    }

    /// Begins an upload with the body of a request that has `Upload-Complete`.
    func begin(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let (sighting, key) = (try context.sightingID(), try IdempotencyKey(request.headers))
        try request.expectImage()
        let part = try PhotoUploads.Part(request.headers, isFirst: true)
        let upload = try await uploads.begin(for: sighting, length: part.length, by: account, key: key.uuid)
        let location = "/v1/me/uploads/\(upload.uuidString.lowercased())"
        context.channel.triggerUserOutboundEvent(
            UploadResumption(location: location, limit: Self.limit, version: request.headers.draftVersion),
            promise: nil)
        switch try await receive(part, request, upload, by: account) {
        case .photo(let photo): return try completed(photo, request)
        case .part(let progress):
            var headers = headers(progress, request)
            headers[.location] = location
            return Response(status: .created, headers: headers)
        }
    }

    private func progress(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let progress = try await uploads.progress(try context.uploadID(), of: try context.signedIn().accountID)
        return Response(status: .noContent, headers: headers(progress, request))
    }

    private func receive(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.uploadID()
        guard request.headers[.contentType]?.lowercased() == Self.partialUpload else {
            throw ProblemDetails(.unsupportedMediaType, headers: [.acceptPatch: Self.partialUpload])
        }
        let part = try PhotoUploads.Part(request.headers, isFirst: false)
        switch try await receive(part, request, id, by: account) {
        case .photo(let photo): return try completed(photo, request)
        case .part(let progress): return Response(status: .noContent, headers: headers(progress, request))
        }
    }

    private func cancel(_ request: Request, _ context: APIContext) async throws -> Response {
        try await uploads.cancel(try context.uploadID(), of: try context.signedIn().accountID)
        return Response(status: .noContent)
    }

    private func receive(
        _ part: PhotoUploads.Part, _ request: Request, _ id: UUID, by account: AccountID
    ) async throws -> PhotoUploads.Received {
        try await request.receivingPhoto { body in
            try await uploads.receive(part, body, of: id, by: account)
        }
    }

    /// The same response as for a photo sent in one request.
    private func completed(_ photo: SentPhoto, _ request: Request) throws -> Response {
        var headers = version(of: request)
        headers[.uploadComplete] = "?1"
        return try .sentPhoto(photo, for: request, log, headers: headers)
    }

    private func headers(_ progress: PhotoUploads.Progress, _ request: Request) -> HTTPFields {
        var headers = version(of: request)
        headers[.uploadOffset] = "\(progress.offset)"
        headers[.uploadComplete] = progress.isComplete ? "?1" : "?0"
        headers[.uploadLength] = progress.length.map { "\($0)" }
        headers[.uploadLimit] = Self.limit
        return headers
    }

    private func version(of request: Request) -> HTTPFields {
        request.headers.draftVersion.map { [.uploadDraftVersion: $0] } ?? [:]
    }

    static let partialUpload = "application/partial-upload"

    /// The value of `Upload-Limit`.
    static let limit = "max-size=\(PhotoSpool.mostBytes), max-age=\(PhotoUploads.seconds)"
}

extension APIContext {
    /// The upload that the path names.
    /// - Throws: 404 for anything but an id.
    fileprivate func uploadID() throws(ProblemDetails) -> UUID {
        guard let id = parameters.get("id").flatMap({ UUID(uuidString: $0) }) else { throw ProblemDetails(.notFound) }
        return id
    }
}

extension PhotoUploads.Part {
    /// - Parameter isFirst: whether the request begins the upload, so that the part has the offset 0.
    /// - Throws: `ProblemDetails` (400, 413).
    init(_ headers: HTTPFields, isFirst: Bool) throws(ProblemDetails) {
        let offset = isFirst ? 0 : try headers.uploadNumber(.uploadOffset)
        guard let offset else { throw .header(.uploadOffset, "must be the number of bytes that have arrived") }
        let isLast: Bool
        switch headers[.uploadComplete] {
        case "?1": isLast = true
        case "?0": isLast = false
        default: throw .header(.uploadComplete, "must be ?1 for the last part, otherwise ?0")
        }
        var length = try headers.uploadNumber(.uploadLength)
        if let length, length > PhotoSpool.mostBytes {
            throw .header(.uploadLength, "must be at most \(PhotoSpool.mostBytes), the maximum bytes of a photo")
        }
        if isLast, let content = headers.announcedLength {
            let (sum, overflows) = content.addingReportingOverflow(offset)
            guard !overflows, sum == length ?? sum else { throw ProblemDetails(.inconsistentUploadLength) }
            length = sum
        }
        // The offset of a later part is compared first.
        if isFirst, let length, length > PhotoSpool.mostBytes { throw ProblemDetails(.contentTooLarge) }
        self.init(offset: offset, isLast: isLast, length: length)
    }
}

extension HTTPFields {
    /// The interop version of the draft, if the client names the one that the service speaks.
    fileprivate var draftVersion: String? { self[.uploadDraftVersion] == "8" ? "8" : nil }

    /// A structured field that is an integer; nil where there is none.
    fileprivate func uploadNumber(_ name: HTTPField.Name) throws(ProblemDetails) -> Int? {
        guard let text = self[name] else { return nil }
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text)
        else { throw .header(name, "must be a whole number of at most 15 digits") }
        return number
    }
}
