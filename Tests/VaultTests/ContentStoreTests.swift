import Domain
import Foundation
import TestRandom
import TestSupport
import Testing

@testable import Vault

struct ContentStoreTests {
    @Test func `the newest version at or below the position counts; one that was cleared is known to be empty`()
        async throws
    {
        try await withVault { vault in
            let (stream, store) = (UUID(), ContentStore(database: vault.service))
            try await vault.write("two chicks", field: "notes", of: stream, at: 3)
            try await vault.write("three chicks", field: "notes", of: stream, at: 7)
            try await vault.write(nil, field: "notes", of: stream, at: 9)
            try await vault.write("wrenn", field: "verbatimName", of: stream, at: 7)

            #expect(try await store.content(of: stream, asOf: 2) == StreamContent())
            #expect(try await store.content(of: stream, asOf: 3)[.notes] == "two chicks")
            #expect(try await store.content(of: stream, asOf: 6)[.notes] == "two chicks")
            #expect(try await store.content(of: stream, asOf: 6)[.verbatimName] == nil)
            #expect(try await store.content(of: stream, asOf: 7)[.notes] == "three chicks")
            let newest = try await store.content(of: stream)
            #expect(newest[.notes] == nil)
            #expect(newest.versions[.notes] == ContentVersion(field: .notes, position: 9, value: nil))
            #expect(newest[.verbatimName] == "wrenn")
        }
    }

    @Test func `versions come in the order in which they were written, up to a position`() async throws {
        try await withVault { vault in
            let (stream, store) = (UUID(), ContentStore(database: vault.service))
            try await vault.write("b", field: "verbatimName", of: stream, at: 5)
            try await vault.write("a", field: "notes", of: stream, at: 5)
            try await vault.write("first", field: "notes", of: stream, at: 2)
            try await vault.write(nil, field: "notes", of: stream, at: 8)
            let expected: [ContentVersion] = [
                .init(field: .notes, position: 2, value: "first"), .init(field: .notes, position: 5, value: "a"),
                .init(field: .verbatimName, position: 5, value: "b"), .init(field: .notes, position: 8, value: nil),
            ]
            #expect(try await store.versions(of: stream) == expected)
            #expect(try await store.versions(of: stream, upTo: 5) == Array(expected.prefix(3)))
            #expect(try await store.versions(of: UUID()).isEmpty)
        }
    }

    @Test func `a field that only a newer service knows is passed over`() async throws {
        try await withVault { vault in
            let (stream, store) = (UUID(), ContentStore(database: vault.service))
            try await vault.write("?", field: "fieldOfTheFuture", of: stream, at: 1)
            try await vault.write("known", field: "notes", of: stream, at: 1)
            #expect(Array(try await store.content(of: stream).versions.keys) == [.notes])
            #expect(try await store.versions(of: stream).map(\.field) == [.notes])
        }
    }

    @Test func `no streams, no fields: nothing, and no error`() async throws {
        try await withVault { vault in
            let (stream, store) = (UUID(), ContentStore(database: vault.service))
            try await vault.write("x", field: "notes", of: stream, at: 1)
            #expect(try await store.content(of: []).isEmpty)
            #expect(try await store.content(of: [stream], fields: []).isEmpty)
        }
    }

    @Test(arguments: RandomSource.seeds(4))
    func `many streams at once: as if each version had been looked at by itself`(seed: UInt64) async throws {
        try await withVault { vault in
            var random = RandomSource(seed: seed)
            let streams = (0..<8).map { _ in random.uuid() }
            let fields: [ContentField] = [.notes, .verbatimName, .record]
            var written: [UUID: [ContentVersion]] = [:]
            for position in Int64(1)...60 {
                let (stream, field) = (random.element(of: streams), random.element(of: fields))
                let value = random.isTrue(oneIn: 5) ? nil : random.text(length: 0...20)
                try await vault.write(value, field: field.rawValue, of: stream, at: position)
                written[stream, default: []].append(.init(field: field, position: position, value: value))
            }
            let store = ContentStore(database: vault.service)
            for _ in 0..<20 {
                let asked = streams.filter { _ in !random.isTrue(oneIn: 3) } + [UUID()]
                let wanted = random.isTrue(oneIn: 2) ? nil : [random.element(of: fields)]
                let position = Int64(random.int(in: 0...61))
                let expected = Self.expected(of: asked, wanted, position, written)
                #expect(try await store.content(of: asked, fields: wanted, asOf: position) == expected)
            }
        }
    }

    private static func expected(
        of streams: [UUID], _ fields: [ContentField]?, _ position: Int64, _ written: [UUID: [ContentVersion]]
    ) -> [UUID: StreamContent] {
        var contents: [UUID: StreamContent] = [:]
        for stream in streams {
            for version in written[stream, default: []] where version.position <= position {
                guard fields?.contains(version.field) ?? true else { continue }
                contents[stream, default: StreamContent()].add(version)
            }
        }
        return contents
    }
}
