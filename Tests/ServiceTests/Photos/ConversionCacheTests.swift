import Domain
import FileLocks
import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOCore
import PhotoStore
import TestSupport
import Testing

@testable import Service

struct ConversionCacheTests {
    /// A cache over a store of "JPEGs", whose "WebPs" are 100 bytes each.
    private struct Fixture: Sendable {
        let folder: String
        /// The cache's own.
        let webPs: String
        let cache: ConversionCache
        let store: FolderPhotoStore
        /// The conversions so far.
        let conversions = NIOLockedValueBox(0)
        /// While it is closed, conversions do not end.
        let gate: Gate

        init(_ folder: String, bytes: Int, gate: Gate = Gate(isOpen: true)) throws {
            (self.folder, self.gate) = (folder, gate)
            store = FolderPhotoStore(folder: folder + "/photos")
            var settings = try ConversionCache.Settings(folder: folder + "/webp").claimed()
            settings.bytes = bytes
            webPs = settings.folder
            let logger = Logger(label: "webp") { _ in SwiftLogNoOpLogHandler() }
            cache = ConversionCache(settings, spool: PhotoSpool(folder: folder + "/uploads"), logger: logger) {
                [conversions] jpeg, folder in
                conversions.withLockedValue { $0 += 1 }
                try await gate.pass()
                let source = try Data(contentsOf: URL(filePath: jpeg))
                if source.first == 0 { throw RenderError.broken("zero") }
                let webP = source + Data(repeating: 1, count: 100 - source.count)
                try webP.write(to: URL(filePath: folder + "/webp"))
                return RenderedPhoto.Rendition(
                    name: "webp", path: folder + "/webp", sha256: SHA256Hasher.digest(of: webP).description, width: 1,
                    height: 1, bytes: 100)
            }
        }

        /// A rendition of one byte.
        func jpeg(_ byte: UInt8) async throws -> PhotoFile {
            let digest = SHA256Hasher.digest(of: Data([byte]))
            try Data([byte]).write(to: URL(filePath: folder + "/jpeg"))
            try await store.put(folder + "/jpeg", as: digest)
            return PhotoFile(digest, .jpeg, size: 1, store)
        }

        func files() -> Int {
            FileManager.default.enumerator(atPath: webPs)?.compactMap { $0 as? String }
                .count { $0.utf8.count == 70 } ?? 0
        }

        var made: Int { conversions.withLockedValue { $0 } }
    }

    private func withFixture(
        bytes: Int, gate: Gate = Gate(isOpen: true), _ body: (Fixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-webp-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(try Fixture(folder, bytes: bytes, gate: gate))
    }

    @Test func `a WebP is made once, and has its own bytes and tag`() async throws {
        try await withFixture(bytes: 1000) { fixture in
            let jpeg = try await fixture.jpeg(7)
            let webP = try #require(await fixture.cache.file(of: jpeg))
            #expect(webP.mediaType == .webp && webP.size == 100 && webP.tag != jpeg.tag)
            let again = try #require(await fixture.cache.file(of: jpeg))
            #expect(again.tag == webP.tag && fixture.made == 1)
            #expect(try await again.bytes() == [7] + [UInt8](repeating: 1, count: 99))
        }
    }

    @Test func `the least recently used leaves first, and the bytes never exceed the bound`() async throws {
        try await withFixture(bytes: 250) { fixture in
            for byte in [1, 2, 1, 3] as [UInt8] {
                #expect(try await fixture.cache.file(of: fixture.jpeg(byte)) != nil)
                #expect(fixture.files() <= 2)
            }
            #expect(fixture.made == 3)
            _ = await fixture.cache.file(of: try await fixture.jpeg(1))
            #expect(fixture.made == 3, "the first is there: it was asked for after the second")
            _ = await fixture.cache.file(of: try await fixture.jpeg(2))
            #expect(fixture.made == 4, "the second has left")
        }
    }

    @Test(arguments: [0, 99])
    func `a cache without room keeps nothing`(bytes: Int) async throws {
        try await withFixture(bytes: bytes) { fixture in
            let jpeg = try await fixture.jpeg(1)
            #expect(await fixture.cache.file(of: jpeg) == nil)
            #expect(fixture.files() == 0 && fixture.made == (bytes == 0 ? 0 : 1))
        }
    }

    @Test func `one conversion serves all who ask for the same, and two run at once`() async throws {
        let gate = Gate(isOpen: false)
        try await withFixture(bytes: 1000, gate: gate) { fixture in
            let (first, second) = (try await fixture.jpeg(1), try await fixture.jpeg(2))
            let cache = fixture.cache
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<5 { group.addTask { await cache.file(of: first)?.tag } }
                group.addTask { await cache.file(of: second)?.tag }
                try await until { cache.waiting == 4 && fixture.made == 2 }
                #expect(try await cache.file(of: fixture.jpeg(3)) == nil, "busy: the JPEG is the answer")
                gate.open()
                var tags: [String?] = []
                for try await tag in group { tags.append(tag) }
                #expect(tags.count == 6 && !tags.contains(nil) && Set(tags).count == 2)
            }
            #expect(fixture.made == 2 && cache.waiting == 0)
            #expect(try await cache.file(of: fixture.jpeg(3)) != nil)
        }
    }

    @Test func `a conversion that fails, or is cancelled, makes room for others`() async throws {
        let gate = Gate(isOpen: true)
        try await withFixture(bytes: 250, gate: gate) { fixture in
            for _ in 0..<3 { #expect(try await fixture.cache.file(of: fixture.jpeg(0)) == nil) }
            gate.close()
            let (cache, jpeg) = (fixture.cache, try await fixture.jpeg(1))
            let (isMade, others) = try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { await cache.file(of: jpeg) != nil }
                try await until { fixture.made == 4 }
                group.cancelAll()
                return (try await group.next(), cache.waiting)
            }
            #expect(isMade == false && others == 0)
            gate.open()
            #expect(await cache.file(of: jpeg) != nil)
        }
    }

    @Test func `files that are gone are made again, and one that is open is read to its end`() async throws {
        try await withFixture(bytes: 100) { fixture in
            let jpeg = try await fixture.jpeg(1)
            let webP = try #require(await fixture.cache.file(of: jpeg))
            let open = try await webP.chunks(nil)
            _ = await fixture.cache.file(of: try await fixture.jpeg(2))
            #expect(try await open.reduce(0) { $0 + $1.readableBytes } == 100)
            await #expect {
                _ = try await webP.chunks(nil)
            } throws: { error in
                guard case CommandError.notFound = error else { return false }
                return true
            }
            await fixture.cache.forget(jpeg)
            #expect(try await fixture.cache.file(of: jpeg)?.bytes().count == 100)
        }
    }

    @Test func `files stay when another process starts with the same folder`() async throws {
        try await withFixture(bytes: 1000) { fixture in
            let jpeg = try await fixture.jpeg(1)
            _ = await fixture.cache.file(of: jpeg)
            let other = try Fixture(fixture.folder, bytes: 100)
            #expect(try await fixture.cache.file(of: jpeg)?.bytes().count == 100 && fixture.made == 1)
            // A file that leaves one cache stays in the other.
            #expect(try await other.cache.file(of: jpeg)?.bytes().count == 100 && other.made == 1)
            await other.cache.forget(jpeg)
            #expect(other.files() == 0 && fixture.files() == 1)
        }
    }

    @Test func `files of a process that ends while another one runs are removed by that`() async throws {
        try await withFixture(bytes: 1000) { fixture in
            var ending: ConversionCache.Settings? = try ConversionCache.Settings(folder: fixture.folder + "/webp")
                .claimed()
            let left = try #require(ending?.folder)
            await fixture.cache.removeAbandoned()
            #expect(FileManager.default.fileExists(atPath: left))
            ending = nil
            await fixture.cache.removeAbandoned()
            #expect(!FileManager.default.fileExists(atPath: left) && fixture.files() == 0)
        }
    }

    @Test func `a process that starts removes the files of those that have ended`() async throws {
        try await withFixture(bytes: 1000) { fixture in
            let shared = fixture.folder + "/webp"
            var ended: ConversionCache.Settings? = try ConversionCache.Settings(folder: shared).claimed()
            let left = [try #require(ended?.folder), shared + "/ab"]
            for folder in left {
                try FileManager.default.createDirectory(atPath: folder + "/cd", withIntermediateDirectories: true)
            }
            ended = nil
            let started = try ConversionCache.Settings(folder: shared).claimed()
            #expect(left.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
            #expect(FileManager.default.fileExists(atPath: fixture.webPs))
            #expect(FileManager.default.fileExists(atPath: started.folder))
        }
    }

    @Test func `a folder that cannot be locked is named`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "skein-webp-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/lock", withIntermediateDirectories: true)
        let failure = #expect(throws: FileLock.Failure.self) {
            try ConversionCache.Settings(folder: folder).claimed()
        }
        #expect(failure?.description == "\(folder)/lock cannot be locked: Is a directory.")
    }
}

/// Holds those who come while it is closed.
private final class Gate: Sendable {
    private let isOpen: NIOLockedValueBox<Bool>

    init(isOpen: Bool) {
        self.isOpen = NIOLockedValueBox(isOpen)
    }

    func open() { isOpen.withLockedValue { $0 = true } }
    func close() { isOpen.withLockedValue { $0 = false } }

    func pass() async throws {
        try await until { isOpen.withLockedValue { $0 } }
    }
}

extension SHA256Hasher {
    fileprivate static func digest(of bytes: Data) -> SHA256Sum {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.digest
    }
}

extension PhotoFile {
    fileprivate func bytes() async throws -> [UInt8] {
        try await chunks(nil).reduce(into: []) { $0 += $1.readableBytesView }
    }
}
