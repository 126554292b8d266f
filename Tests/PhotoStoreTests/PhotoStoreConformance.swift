import Foundation
import NIOCore
import PhotoStore
import Testing

/// The requirements for every store.
enum PhotoStoreConformance {
    static func check(_ store: any PhotoStore) async throws {
        try await PhotoFiles.withFolder { folder in
            let large = (0..<200_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let (first, second) = (PhotoFiles.digest(large), PhotoFiles.digest([1, 2, 3]))
            try Data(large).write(to: URL(filePath: folder + "/large"))
            try Data([1, 2, 3]).write(to: URL(filePath: folder + "/small"))

            #expect(try await store.size(of: first) == nil)
            await #expect(throws: PhotoStoreError.self) { try await store.read(first, nil) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await store.put(folder + "/large", as: first) } }
                group.addTask { try await store.put(folder + "/small", as: second) }
                try await group.waitForAll()
            }
            #expect(try await store.size(of: first) == large.count)
            #expect(try await bytes(try await store.read(first, nil)) == large)
            #expect(try await bytes(try await store.read(first, 70_000..<140_001)) == Array(large[70_000..<140_001]))
            #expect(try await store.read(second, 1..<2).size == 3)
            #expect(try await bytes(try await store.read(second, 1..<2)) == [2])
            #expect(try await digests(store) == [first, second])

            let (past, future) = (Date(timeIntervalSinceNow: -3600), Date(timeIntervalSinceNow: 3600))
            #expect(try await !store.remove(first, putBefore: past))
            #expect(try await store.size(of: first) == large.count, "it was put since")
            #expect(try await store.remove(first, putBefore: future))
            #expect(try await !store.remove(first, putBefore: future))
            #expect(try await store.size(of: first) == nil)
            #expect(try await digests(store) == [second])
        }
    }

    private static func bytes(_ photo: PhotoBytes) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in photo.chunks { bytes += chunk.readableBytesView }
        return bytes
    }

    private static func digests(_ store: any PhotoStore) async throws -> Set<SHA256Sum> {
        var digests: Set<SHA256Sum> = []
        for try await kept in store.kept() {
            #expect(abs(kept.putAt.timeIntervalSinceNow) < 600)
            digests.insert(kept.digest)
        }
        return digests
    }
}

extension PhotoStore {
    /// The number of bytes that are kept; nil for none.
    func size(of digest: SHA256Sum) async throws -> Int? {
        do {
            return try await read(digest, 0..<1).size
        } catch PhotoStoreError.notFound {
            return nil
        }
    }
}

struct FolderPhotoStoreTests {
    @Test func `a folder is a store`() async throws {
        try await PhotoFiles.withFolder { folder in
            try await PhotoStoreConformance.check(FolderPhotoStore(folder: folder + "/photos"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/photos/incoming")
            #expect(left.isEmpty)
        }
    }

    @Test func `a store makes its folders again`() async throws {
        try await PhotoFiles.withFolder { folder in
            let (store, digests) = try await PhotoFiles.filledStore(3, in: folder)
            try FileManager.default.removeItem(atPath: folder + "/photos")
            #expect(try await store.size(of: digests[0]) == nil)
            try await PhotoFiles.put(1, into: store, folder)
            #expect(try await store.size(of: digests[0]) == 1)
        }
    }
}
