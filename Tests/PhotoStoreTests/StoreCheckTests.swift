import Foundation
import PhotoStore
import Testing

struct StoreCheckTests {
    @Test func `what is missing, altered or belongs to nothing is found, and nothing else`() async throws {
        try await PhotoFiles.withFolder { folder in
            let store = FolderPhotoStore(folder: folder + "/photos")
            let digests = [[1], [2], [3], [4]].map { PhotoFiles.digest($0) }
            for (number, digest) in digests.enumerated() {
                try Data([UInt8(number + 1)]).write(to: URL(filePath: folder + "/photo"))
                try await store.put(folder + "/photo", as: digest)
            }
            try await store.remove(digests[0], putBefore: .distantFuture)
            let name = digests[1].description
            let path = "\(folder)/photos/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
            try Data([9]).write(to: URL(filePath: path))

            var found: [PhotoDigest: StoreCheck.Fault] = [:]
            try await StoreCheck(store).run(expecting: Set(digests.prefix(3))) { found[$0] = $1 }
            #expect(found == [digests[0]: .missing, digests[1]: .altered, digests[3]: .orphaned])
        }
    }
}
