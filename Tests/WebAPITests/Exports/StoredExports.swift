import Crypto
import Foundation
import NIOCore
import PhotoStore
import Postgres
import TestSupport
import Testing

@testable import Service

extension PhotoStore {
    /// The names of all files in a store of exports, each of which must be the SHA-256 of the file.
    func checkedNames() async throws -> Set<String> {
        var names: Set<String> = []
        for try await kept in kept() {
            var hash = SHA256()
            for try await piece in try await read(kept.digest, nil).chunks { hash.update(data: Array(buffer: piece)) }
            let name = kept.digest.description
            #expect(Hexadecimal.text(of: hash.finalize()) == name)
            names.insert(name)
        }
        return names
    }

    /// As if all files had left the store to make room, with the notes about them.
    func evictAll(_ database: TestDatabase) async throws {
        for try await kept in kept() { try await remove(kept.digest, putBefore: .distantFuture) }
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query("delete from vault.export_files")
        }
    }
}

extension Hexadecimal {
    static func text(of hash: some Sequence<UInt8>) -> String {
        hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The SHA-256 of bytes.
    static func sha256(of bytes: ByteBuffer) -> String { text(of: SHA256.hash(data: Array(buffer: bytes))) }
}

extension TestDatabase {
    /// How many events of a type an export has.
    func events(_ type: String, of export: String) async throws -> Int {
        let stream = try #require(UUID(uuidString: export))
        return try await withConnection(owner) { owner in
            let count: Int64 = try await owner.query(
                "select count(*) as n from log.events where stream = \(stream) and type = \(type)"
            ).onlyRow().decode("n")
            return Int(count)
        }
    }

    /// How many exports are to be made, or made again.
    func exportJobs() async throws -> Int {
        try await withConnection(owner) { owner in
            let count: Int64 = try await owner.query(
                "select count(*) as n from vault.jobs where kind = 'export'"
            ).onlyRow().decode("n")
            return Int(count)
        }
    }
}
