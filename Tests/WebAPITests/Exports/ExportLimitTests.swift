import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOCore
import PhotoStore
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

/// Limits of exports, and what becomes of them when processes end, bytes vanish or the disk is full.
struct ExportLimitTests {
    @Test func `an account waits for one export, and has a quota of the day`() async throws {
        let limits = ExportSettings.Limits.with { ($0.waiting, $0.unverifiedPerDay, $0.perDay) = (2, 1, 2) }
        try await ExportScene.run(TestExports.settings(limits)) { scene in
            let one = try await Caller.register(scene.served)
            #expect(try await scene.ask(for: "csv", by: one).status == .accepted)
            let running = try await scene.ask(for: "tsv", by: one)
            #expect(try running.status == .tooManyRequests && running.problem == "export-running")
            try await scene.make()
            let used = try await scene.ask(for: "tsv", by: one)
            #expect(try used.status == .tooManyRequests && used.problem == "export-quota")
            #expect(used.headers[.retryAfter] != nil)
            // What is made already costs nothing.
            let other = try await Caller.register(scene.served)
            #expect(try await scene.ask(for: "csv", by: other).status == .ok)
            #expect(try await scene.ask(for: "tsv", by: other).status == .accepted)
            try await one.verifyAddress()
            #expect(try await scene.ask(for: "geojson", by: one).status == .accepted)
            let third = try await Caller.register(scene.served)
            let full = try await scene.ask(for: "geojsonseq", by: third)
            #expect(full.status == .serviceUnavailable && full.headers[.retryAfter] != nil)
            try await scene.make()
            // A request that was rejected took nothing.
            #expect(try await scene.ask(for: "geojsonseq", by: third).status == .accepted)
        }
    }

    @Test func `requests at once take one turn`() async throws {
        try await ExportScene.run(TestExports.settings(.with { $0.unverifiedPerDay = nil })) { scene in
            let caller = try await Caller.register(scene.served)
            let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for format in ["csv", "tsv", "geojson", "geojsonseq"] {
                    group.addTask { try await scene.ask(for: format, by: caller).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == .accepted } == 1)
            #expect(statuses.count { $0 == .tooManyRequests } == 3)
        }
    }

    @Test func `another process takes the export of a killed one over`() async throws {
        try await ExportScene.run { scene in
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            let killed = try await ExportJobs(database: scene.served.cases.ground.pool).claim(for: ExportWorker.lease)
            #expect(killed != nil)
            #expect(try await scene.state(id) == "running")
            try await scene.make()
            #expect(try await scene.state(id) == "running")
            try await scene.pass(seconds: 119)
            try await scene.make()
            #expect(try await scene.state(id) == "ready")
        }
    }

    @Test func `a process that ends after storing the bytes leaves an export that the next one completes`()
        async throws
    {
        var settings = TestExports.settings()
        let store = FailingStore(settings.store)
        settings.store = store
        try await ExportScene.run(settings) { scene in
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            store.failures.withLockedValue { $0 = 1 }
            try await scene.make()
            #expect(try await scene.state(id) == "queued")
            #expect(try await scene.data(id).status == .conflict)
            try await scene.pass(seconds: 60)
            try await scene.make()
            #expect(try await scene.data(id).status == .ok)
        }
    }

    @Test func `bytes that have left the store are made again, and are the same`() async throws {
        let settings = TestExports.settings()
        try await ExportScene.run(settings) { scene in
            try await scene.approved()
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.make()
            let bytes = Array(buffer: try await scene.data(id).body)
            for try await kept in settings.store.kept() {
                try await settings.store.remove(kept.digest, putBefore: .distantFuture)
            }
            // Later records are not in it, and the export stays ready for those who look.
            try await scene.approved()
            let missing = try await scene.data(id)
            #expect(try missing.problem == "export-not-ready" && missing.headers[.retryAfter] != nil)
            #expect(try await scene.state(id) == "queued")
            try await scene.make()
            #expect(try await scene.state(id) == "ready")
            #expect(Array(buffer: try await scene.data(id).body) == bytes)
        }
    }

    @Test func `exports that are made again have a limit of their own, and take no room from requests`() async throws {
        let limits = ExportSettings.Limits.with { ($0.waiting, $0.remakes, $0.unverifiedPerDay) = (1, 1, nil) }
        let settings = TestExports.settings(limits)
        try await ExportScene.run(settings) { scene in
            let caller = try await Caller.register(scene.served)
            var ids: [String] = []
            for format in ["csv", "tsv"] {
                ids.append(try #require(try await scene.ask(for: format, by: caller).text("id")))
                try await scene.make()
                #expect(try await scene.data(ids[ids.count - 1]).status == .ok)
            }
            for try await kept in settings.store.kept() {
                try await settings.store.remove(kept.digest, putBefore: .distantFuture)
            }
            #expect(try await scene.data(ids[0]).problem == "export-not-ready")
            let full = try await scene.data(ids[1])
            #expect(full.status == .serviceUnavailable && full.headers[.retryAfter] != nil)
            // It has a job already.
            #expect(try await scene.data(ids[0]).problem == "export-not-ready")
            #expect(try await scene.ask(for: "geojson", by: caller).status == .accepted)
            let other = try await Caller.register(scene.served)
            #expect(try await scene.ask(for: "geojsonseq", by: other).status == .serviceUnavailable)
            try await scene.make()
            #expect(try await scene.data(ids[0]).status == .ok)
            #expect(try await scene.data(ids[1]).problem == "export-not-ready")
            try await scene.make()
            #expect(try await scene.data(ids[1]).status == .ok)
        }
    }

    @Test func `the file that was read least recently leaves first`() async throws {
        var settings = TestExports.settings()
        settings.storedBytes = 1
        try await ExportScene.run(settings) { scene in
            let caller = try await Caller.register(scene.served)
            let first = try #require(try await scene.ask(for: "csv", by: caller).text("id"))
            try await scene.make()
            #expect(try await scene.data(first).status == .ok)
            let second = try #require(try await scene.ask(for: "tsv", by: caller).text("id"))
            try await scene.make()
            #expect(try await scene.data(second).status == .ok)
            #expect(try await scene.data(first).status == .conflict)
        }
    }

    @Test func `a full disk, a large export and a slow one fail, and say why`() async throws {
        let free = NIOLockedValueBox(999)
        try await Self.expectFailure("no-space", TestExports.settings(free: { free.withLockedValue(\.self) }))
        try await Self.expectFailure("too-large", TestExports.settings(.with { $0.bytes = 10 }))
        try await Self.expectFailure("too-long", TestExports.settings(.with { $0.duration = .zero }))
    }

    private static func expectFailure(_ reason: String, _ settings: ExportSettings) async throws {
        try await ExportScene.run(settings) { scene in
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.make()
            let failed = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try failed.text("state") == "failed" && failed.text("reason") == reason)
            let data = try await scene.data(id)
            #expect(try data.problem == "export-not-ready" && data.headers[.retryAfter] == nil)
            // The turn has ended with it.
            #expect(try await scene.ask(for: "tsv", by: caller).status == .accepted)
        }
    }
}

/// Stores files, and then fails as often as it is told.
private final class FailingStore: PhotoStore {
    private struct Failure: Error {}

    let failures = NIOLockedValueBox(0)
    private let store: any PhotoStore

    init(_ store: any PhotoStore) {
        self.store = store
    }

    func put(_ file: String, as digest: SHA256Sum) async throws {
        try await store.put(file, as: digest)
        let fails = failures.withLockedValue { failures in
            defer { failures = max(0, failures - 1) }
            return failures > 0
        }
        if fails { throw Failure() }
    }

    func read(_ digest: SHA256Sum, _ range: Range<Int>?) async throws -> PhotoBytes {
        try await store.read(digest, range)
    }

    func remove(_ digest: SHA256Sum, putBefore moment: Date) async throws -> Bool {
        try await store.remove(digest, putBefore: moment)
    }

    func kept() -> AsyncThrowingStream<KeptBytes, any Error> { store.kept() }
}
