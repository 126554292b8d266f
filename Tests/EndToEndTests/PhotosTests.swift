import Foundation
import NIOHTTP1
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: TestData.isPresent, "\(TestData.absence)"))
struct PhotosTests {
    /// A file that is sent as a photo.
    private struct Photo: Sendable {
        let name: String
        let bytes: [UInt8]

        /// The type that a client derives from the name.
        var type: String {
            switch URL(filePath: name).pathExtension {
            case "jpg": "image/jpeg"
            case let other: "image/\(other)"
            }
        }

        /// The status of the answer, and the problem's type.
        var expected: String {
            switch name {
            case _ where name.hasSuffix(".gif") || name.hasSuffix(".ico"): "415 unsupported-media-type"
            case _ where PhotosTests.broken.contains(name): "422 unreadable-photo"
            default: "201 -"
            }
        }
    }

    private static let broken: Set = [
        "broken.png", "broken_data_stream.png", "huge.jpg", "truncated_image.png",
    ]

    /// The real photos; one whose header claims 400 megapixels; and one that claims 96, whose missing rest is grey.
    private static func photos() throws -> [Photo] {
        let folder = TestData.url("photos")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let real = try names.sorted().map { folder.appending(path: $0) }
            .filter { ["jpg", "png", "webp", "gif", "ico"].contains($0.pathExtension) }
            .map { Photo(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
        let flower = try #require(real.first { $0.name == "flower.jpg" }).bytes
        return real + [
            Photo(name: "huge.jpg", bytes: try claiming(20_000, flower)),
            Photo(name: "claimed.jpg", bytes: try claiming(9_800, flower)),
        ]
    }

    /// A JPEG with another height and width in its frame header.
    private static func claiming(_ side: Int, _ jpeg: [UInt8]) throws -> [UInt8] {
        // A thumbnail's frame header comes before it.
        let frame = try #require(
            (0..<jpeg.count - 9).last { jpeg[$0] == 0xFF && [0xC0, 0xC2].contains(jpeg[$0 + 1]) })
        var jpeg = jpeg
        let bytes = [UInt8(side >> 8), UInt8(side & 0xFF)]
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: bytes + bytes)
        return jpeg
    }

    @Test func `real photos are kept, others have their problem, and the service stays small`() async throws {
        try await ServedSkein.run(["SKEIN_RATE_LIMITS": "off"]) { service in
            let birder = try await Birder.register(service)
            let photos = try Self.photos()
            let process = try #require(service.process?.processIdentifier)
            // The first photos fill pools and caches.
            try await Self.send(Array(photos.prefix(8)), by: birder)
            let before = try ResidentMemory.kibibytes(of: process)
            for _ in 0..<3 { try await Self.send(photos, by: birder) }
            let grown = try ResidentMemory.kibibytes(of: process) - before
            #expect(grown < 50_000, "the service grew by \(grown) KiB")
        }
    }

    @Test func `no file of a photo that was sent has metadata, and all are upright`() async throws {
        try await ServedSkein.inFolder { folder in
            try await ServedSkein.run(["SKEIN_RATE_LIMITS": "off"]) { service in
                let birder = try await Birder.register(service)
                let kept = try await Self.send(try Self.photos().filter { $0.expected.hasPrefix("201") }, by: birder)
                let files = [("thumb", "jpeg"), ("thumb", "webp"), ("medium", "jpeg"), ("large", "jpeg")]
                for (id, name) in kept {
                    for (rendition, type) in files {
                        let file = try await Self.download("\(id)/\(rendition)", as: "image/\(type)", by: birder)
                        try file.write(to: URL(filePath: "\(folder)/\(name).\(rendition).\(type)"))
                    }
                }
                let found = try await ImageMetadata.tags(below: folder)
                #expect(found.files == files.count * kept.count && found.files > 150 && found.tags == [])
                try Self.expectUpright(kept.map(\.name), in: folder)
            }
        }
    }

    private static func download(_ path: String, as type: String, by birder: Birder) async throws -> Data {
        let answer = try await birder.service.send(
            .GET, "/v1/me/photos/\(path)", token: birder.token, headers: ["Accept": type])
        #expect(answer.status == 200 && answer.header("Content-Type") == type, "\(path)")
        return answer.body
    }

    /// Photos of the same scene, such as landscape_6.jpg, differ in how the camera was held.
    private static func expectUpright(_ names: [String], in folder: String) throws {
        let turned = names.filter { $0.contains(/^(landscape|portrait)_[1-8]/) }
        #expect(turned.count == 8)
        for name in turned {
            let scene = name.prefix { $0 != "_" }
            for type in ["jpeg", "webp"] {
                let upright = try ImagePixels("\(folder)/\(scene)_1.jpg.thumb.\(type)")
                let pixels = try ImagePixels("\(folder)/\(name).thumb.\(type)")
                #expect(pixels.isUpright(as: upright), "\(name)")
            }
        }
    }

    /// Sends all photos, eight at once.
    /// - Returns: the ids and names of those that are kept.
    @discardableResult
    private static func send(_ photos: [Photo], by birder: Birder) async throws -> [(id: String, name: String)] {
        var kept: [(id: String, name: String)] = []
        for start in stride(from: 0, to: photos.count, by: 8) {
            let sighting = try #require(try await birder.submit().text("id"))
            kept += try await withThrowingTaskGroup { group in
                for photo in photos[start..<min(start + 8, photos.count)] {
                    group.addTask { try await send(photo, to: sighting, by: birder).map { ($0, photo.name) } }
                }
                return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
        }
        return kept
    }

    /// - Returns: its id; nil for one that is rejected.
    private static func send(_ photo: Photo, to sighting: String, by birder: Birder) async throws -> String? {
        var answer = try await birder.addPhoto(to: sighting, photo.bytes, headers: ["Content-Type": photo.type])
        // On a busy machine, rendering may take too long: a client tries again.
        for _ in 0..<5 where answer.status == 503 {
            answer = try await birder.addPhoto(to: sighting, photo.bytes, headers: ["Content-Type": photo.type])
        }
        #expect("\(answer.status) \(answer.problem ?? "-")" == photo.expected, "\(photo.name)")
        if photo.name == "huge.jpg" { #expect(answer.text("detail")?.contains("megapixels") == true) }
        return answer.text("id")
    }
}
