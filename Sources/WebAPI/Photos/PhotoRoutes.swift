import Domain
import HTTPTypes
import Hummingbird
import JSON
import Service
package import Web

/// The caller's photos: adding, describing, downloading and deleting them.
package struct PhotoRoutes: RouteGroup {
    let photos: PhotoService
    let webPs: ConversionCache
    let uploads: UploadRoutes
    let log: LogState

    package var routes: [Route] {
        let path = "/v1/me/photos/{id}"
        return [
            Route(
                .post, "/v1/me/findings/{id}/photos", .signedIn, reads: [.image, .key],
                problems: [
                    .notFound, .withdrawn, .gone, .tooManyPhotos, .tooManyUploads, .photoQuota,
                    .inconsistentUploadLength, .conflict, .modelBehind,
                ], add),
            Route(.get, path, .signedIn, reads: [.query, .tag], problems: [.notFound, .gone], photo),
            Route(
                .patch, path, .signedIn, reads: [.body, .key, .version], problems: [.notFound, .withdrawn, .gone],
                describe),
            Route(.delete, path, .signedIn, reads: [.key, .version], problems: [.notFound, .gone], delete),
            Route(
                .get, path + "/{rendition}", .signedIn, reads: [.query, .tag],
                problems: [.notFound, .gone, .rangeNotSatisfiable], file),
        ]
    }

    private func add(_ request: Request, _ context: APIContext) async throws -> Response {
        if request.headers[.uploadComplete] != nil { return try await uploads.begin(request, context) }
        let account = try context.signedIn().accountID
        let sighting = try context.sightingID()
        let key = try IdempotencyKey(request.headers)
        try request.expectImage()
        let sent = try await request.receivingPhoto { body in
            try await photos.receive(body, length: request.announcedLength, to: sighting, by: account, key: key.uuid)
        }
        return try .sentPhoto(sent, for: request, log)
    }

    private func photo(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let photo = try await photos.photo(try context.photoID(), of: try context.signedIn().accountID)
        return try .ownPhoto(photo, for: request, log)
    }

    private func describe(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.photoID()
        let key = try IdempotencyKey(request.headers)
        let versions = try ExpectedVersion(request.headers).versions
        var body = JSONObjectReader(try await request.json(isPatch: true))
        let altText = body.change("altText", String.self) { (text) throws(RuleViolation) in try AltText(text) }
        let licence = body.replacement("licence", String.self) { (word) throws(RuleViolation) in
            try Licence(word: word)
        }
        try body.finish()
        let photo = try await photos.describe(
            id, altText: altText, licence: licence, ifVersions: versions, by: account, key: key.uuid)
        return try .ownPhoto(photo, for: request, log)
    }

    private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        let account = try context.signedIn().accountID
        let id = try context.photoID()
        let key = try IdempotencyKey(request.headers)
        let versions = try ExpectedVersion(request.headers).versions
        let position = try await photos.delete(id, ifVersions: versions, by: account, key: key.uuid)
        return Response(status: .noContent, headers: try HTTPFields(privateAt: position, of: log))
    }

    private func file(_ request: Request, _ context: APIContext) async throws -> Response {
        try QueryReader.expectNone(in: request)
        let account = try context.signedIn().accountID
        let file = try await photos.file(try context.photoID(), try context.photoVersion(), of: account)
        return try await .photo(file, webPs, for: request, .privateNoStore)
    }
}

extension Response {
    /// A photo that its owner has sent: 201 if it was added, 200 if the sighting has it already.
    static func sentPhoto(
        _ sent: SentPhoto, for request: Request, _ log: LogState, headers more: HTTPFields = [:]
    ) throws -> Response {
        var headers = more
        headers[.location] = "/v1/me/photos/\(sent.photo.id)"
        return try .ownPhoto(
            sent.photo, for: request, log, status: sent.isKnown ? .ok : .created, headers: headers)
    }

    /// A photo for its owner.
    static func ownPhoto(
        _ photo: OwnedPhoto, for request: Request, _ log: LogState, status: HTTPResponse.Status = .ok,
        headers more: HTTPFields = [:]
    ) throws -> Response {
        var headers = more
        try headers.tell(position: photo.position, of: log)
        return try ownRepresentation(
            JSONWriter.bytes(of: photo), version: photo.version, for: request, status: status, headers: headers)
    }
}

extension APIContext {
    /// The photo that the path names.
    /// - Throws: 404 for anything but an id.
    func photoID() throws(ProblemDetails) -> PhotoID {
        guard let id = parameters.get("id").flatMap(PhotoID.init) else { throw ProblemDetails(.notFound) }
        return id
    }
}

extension APIContext {
    /// The version of a photo that the path names.
    /// - Throws: 404 for any other word.
    func photoVersion() throws(ProblemDetails) -> PhotoVersion {
        guard let version = parameters.get("rendition").flatMap(PhotoVersion.init) else {
            throw ProblemDetails(.notFound)
        }
        return version
    }
}

extension Request {
    /// Rejects a body that cannot be a photo, before it is read. Its content decides, not its declared type: clients
    /// name HEIC and JPEG in several ways, or not at all.
    /// - Throws: `ProblemDetails` (413, 415).
    func expectImage() throws(ProblemDetails) {
        guard headers[.contentEncoding] == nil else {
            throw ProblemDetails(.unsupportedMediaType, headers: [.accept: Self.imageTypes])
        }
        if let announced = announcedLength, announced > PhotoSpool.mostBytes {
            throw ProblemDetails(.contentTooLarge)
        }
    }

    /// Receives the body of a photo.
    /// - Throws: `ProblemDetails` (413; 400 for a body that breaks off or arrives too late); what `receive` throws.
    func receivingPhoto<Value>(_ receive: (SentBody) async throws -> Value) async throws -> Value {
        do {
            return try await receive(SentBody(body: body))
        } catch is PhotoSpool.TooLarge {
            throw ProblemDetails(.contentTooLarge)
        } catch SentPhotoRejection.unsupportedType {
            throw ProblemDetails(.unsupportedMediaType, headers: [.accept: Self.imageTypes])
        }
    }

    private static let imageTypes = ImageType.allCases.map(\.rawValue).joined(separator: ", ")
}
