import AsyncHTTPClient
import Foundation
import PhotoStore
import Testing

struct S3PhotoStoreTests {
    @Test func `a bucket is a store, named by path or host, with prefix or without`() async throws {
        try await Moto.withServer { moto in
            try await PhotoStoreConformance.check(try moto.store())
            try await PhotoStoreConformance.check(try moto.store(prefix: ""))
            // DNS does not know "bucket.localhost".
            var configuration = HTTPClient.Configuration()
            configuration.dnsOverride = ["\(moto.bucket).localhost": "127.0.0.1"]
            let http = HTTPClient(configuration: configuration)
            let named = try moto.store("endpoint=http://localhost:PORT&style=virtual", prefix: "other", http: http)
            let result = await Result { try await PhotoStoreConformance.check(named) }
            try await http.shutdown()
            try result.get()
        }
    }

    @Test func `a large file is sent in parts, and is whole`() async throws {
        try await Moto.withServer { moto in
            try await PhotoFiles.withFolder { folder in
                let bytes = (0..<11 << 20).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 7) }
                let digest = PhotoFiles.digest(bytes)
                try Data(bytes).write(to: URL(filePath: folder + "/large"))
                let store = try moto.store()
                try await store.put(folder + "/large", as: digest)
                #expect(try await store.size(of: digest) == bytes.count)
                var faults: [StoreCheck.Fault] = []
                try await StoreCheck(store).run(expecting: [digest]) { faults.append($1) }
                #expect(faults.isEmpty)
            }
        }
    }

    @Test func `a listing has many pages, and no other prefix`() async throws {
        try await Moto.withServer { moto in
            try await PhotoFiles.withFolder { folder in
                let store = try moto.store(prefix: "some")
                let digests = try await (UInt8(0)..<8).asyncMap { number in
                    try Data([number]).write(to: URL(filePath: folder + "/small"))
                    let digest = PhotoFiles.digest([number])
                    try await (number == 0 ? moto.store(prefix: "something") : store).put(folder + "/small", as: digest)
                    return digest
                }
                var found: Set<SHA256Sum> = []
                for try await kept in store.kept() { found.insert(kept.digest) }
                #expect(found == Set(digests.dropFirst()))
            }
        }
    }

    @Test func `a request with another key is rejected, once`() async throws {
        try await Moto.withServer { moto in
            let store = try moto.store(secretKey: "another")
            let error = await #expect(throws: PhotoStoreError.self) {
                for try await _ in store.kept() {}
            }
            guard case .s3(_, 403, "SignatureDoesNotMatch") = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
