import Domain
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PhotoStore
import Testing

@testable import Service
@testable import Web
@testable import WebAPI

/// The JPEG is the answer wherever there is no WebP.
struct PhotoAnswerTests {
    /// A rendition, and a cache whose WebPs are the bytes "webp".
    private func withRendition(
        _ body: (
            _ jpeg: PhotoFile, _ folder: String, _ cache: (@escaping ConversionCache.Converter) -> ConversionCache
        ) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-answers-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FolderPhotoStore(folder: folder + "/photos")
        let sha256 = try Self.write("jpeg", to: folder + "/jpeg")
        try await store.put(folder + "/jpeg", as: try #require(SHA256Sum(hexadecimal: sha256)))
        let rendition = PhotoRendition(
            name: .thumb, sha256: try Fingerprint(sha256), width: 1, height: 1, bytes: 4)
        let jpeg = try PhotoFile([rendition], .thumb, store)
        try await body(jpeg, folder) { converter in
            ConversionCache(
                ConversionCache.Settings(folder: folder + "/webp"), spool: PhotoSpool(folder: folder + "/uploads"),
                logger: Logger(label: "webp") { _ in SwiftLogNoOpLogHandler() }, convert: converter)
        }
    }

    private static func write(_ text: String, to path: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path))
        var hasher = SHA256Hasher()
        hasher.update(Data(text.utf8))
        return hasher.digest.description
    }

    private static let converter: ConversionCache.Converter = { _, folder in
        let path = folder + "/webp"
        return RenderedPhoto.Rendition(
            name: "webp", path: path, sha256: try write("webp", to: path), width: 1, height: 1, bytes: 4)
    }

    private func type(of jpeg: PhotoFile, _ cache: ConversionCache) async throws -> String? {
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.accept: "image/webp"])
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let response = try await Response.photo(jpeg, cache, for: request, .publicMinutes)
        #expect(response.status == .ok && response.headers[.vary] == "Accept")
        return response.headers[.contentType]
    }

    @Test func `a WebP that left the cache meanwhile is made again for the next request`() async throws {
        try await withRendition { jpeg, folder, cache in
            let cache = cache(Self.converter)
            #expect(try await type(of: jpeg, cache) == "image/webp")
            try FileManager.default.removeItem(atPath: folder + "/webp")
            #expect(try await type(of: jpeg, cache) == "image/jpeg")
            #expect(try await type(of: jpeg, cache) == "image/webp")
        }
    }

    @Test func `a conversion that fails is no failure of the request`() async throws {
        try await withRendition { jpeg, _, cache in
            let type = try await type(of: jpeg, cache { _, _ in throw RenderError.limitExceeded })
            #expect(type == "image/jpeg")
        }
    }
}
