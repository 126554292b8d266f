import Foundation
import PhotoStore
import Testing

struct StoreCheckTests {
    @Test func `what is missing, altered or belongs to nothing is found, and nothing else`() async throws {
        try await PhotoFiles.withFolder { folder in
            let (store, digests) = try await PhotoFiles.filledStore(4, in: folder)
            try await store.remove(digests[0], putBefore: .distantFuture)
            try Data([9]).write(to: URL(filePath: PhotoFiles.path(of: digests[1], in: folder)))

            var found: [SHA256Sum: StoreCheck.Fault] = [:]
            try await StoreCheck(store).run(expecting: Set(digests.prefix(3))) { found[$0] = $1 }
            #expect(found == [digests[0]: .missing, digests[1]: .altered, digests[3]: .orphaned])
        }
    }

    @Test func `a sweep removes old bytes that nothing refers to, and none that were put again`() async throws {
        try await PhotoFiles.withFolder { folder in
            let (store, digests) = try await PhotoFiles.filledStore(4, in: folder)
            for digest in digests.prefix(3) {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 0)],
                    ofItemAtPath: PhotoFiles.path(of: digest, in: folder))
            }
            try await PhotoFiles.put(3, into: store, folder)
            var removed: [SHA256Sum] = []
            let hourAgo = Date(timeIntervalSinceNow: -3600)
            try await StoreCheck(store).sweep(keeping: [digests[0]], putBefore: hourAgo) { removed.append($0) }
            #expect(removed == [digests[1]])
            for digest in [digests[0], digests[2], digests[3]] { #expect(try await store.size(of: digest) == 1) }
        }
    }
}
