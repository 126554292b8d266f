import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOCore
import PhotoStore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Two processes with one database and one store of exports.
struct SharedStoreTests {
    private struct Pair {
        let first: ExportScene
        let second: ExportScene

        var both: [ExportScene] { [first, second] }

        /// Runs something over the routes of two processes.
        static func run(
            _ first: ExportSettings, _ second: ExportSettings, _ body: @escaping @Sendable (Pair) async throws -> Void
        ) async throws {
            try await withTestDatabase(models: ReadModel.all) { database in
                try await ServedRoutes.serve(database, exports: first) { first in
                    try await ServedRoutes.serve(database, exports: second) { second in
                        try await body(Pair(first: ExportScene(served: first), second: ExportScene(served: second)))
                    }
                }
            }
        }

        /// Both work at once until nothing is left to do.
        func make() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for scene in both { group.addTask { try await scene.make() } }
                try await group.waitForAll()
            }
            for scene in both { try await scene.served.followToHead() }
        }
    }

    /// Twelve exports, of which some have the same bytes.
    private static let bodies = (1...3).flatMap { confidence in
        ["csv", "tsv", "geojson", "geojsonseq"].map { (confidence, $0) }
    }

    private static func ask(_ scene: ExportScene) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (number, (confidence, format)) in bodies.enumerated() {
                group.addTask {
                    let caller = try await Caller.register(scene.served)
                    let body =
                        #"{"format":"\#(format)","filter":{"minConfidence":\#(confidence)},"asOf":"\#(scene.day)"}"#
                    let asked = try await scene.ask(body, by: caller)
                    try #require([.accepted, .ok].contains(asked.status), "\(String(buffer: asked.body))")
                    return (number, try #require(try asked.text("id")))
                }
            }
            let ids = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return ids.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    @Test func `what both are asked for at once is made once, by both, and none is lost`() async throws {
        let shared = TestExports.settings()
        let meeting = Meeting()
        var (one, other) = (shared, shared.ofAnotherProcess)
        one.store = MeetingStore(shared.store, meeting)
        other.store = MeetingStore(shared.store, meeting)
        let store = shared.store
        try await Pair.run(one, other) { pair in
            try await pair.first.approved()
            try await pair.first.approved()
            async let asked = Self.ask(pair.first)
            async let also = Self.ask(pair.second)
            let ids = try await asked
            #expect(try await also == ids && Set(ids).count == Self.bodies.count)
            try await pair.make()
            #expect(meeting.arrivals == 2, "each process was at work while the other one was")
            var hashes: [String] = []
            for id in ids {
                let database = pair.first.served.database
                #expect(try await database.events("ExportRequested", of: id) == 1)
                #expect(try await database.events("ExportMade", of: id) == 1)
                let answers = [try await pair.first.data(id), try await pair.second.data(id)]
                #expect(answers.allSatisfy { $0.status == .ok } && answers[0].body == answers[1].body)
                let hash = Hexadecimal.sha256(of: answers[0].body)
                for scene in pair.both {
                    let export = try await scene.send(.get, "/v1/exports/\(id)")
                    #expect(try export.text("revisions.0.sha256") == hash && export.text("state") == "ready")
                    #expect(try export["revisions"]?.items.count == 1)
                }
                hashes.append(hash)
            }
            #expect(Set(hashes).count == 4, "the formats differ, and the confidences do not")
            #expect(try await store.checkedNames() == Set(hashes))
            #expect(try await pair.first.served.database.exportJobs() == 0)
        }
    }

    @Test func `bytes that one process evicts do not fail a reader of the other, and are made again`() async throws {
        let shared = TestExports.settings()
        var crowded = shared.ofAnotherProcess
        // Only the newest file stays.
        crowded.storedBytes = 1
        try await Pair.run(shared, crowded) { pair in
            try await pair.first.approved()
            let caller = try await Caller.register(pair.first.served)
            let id = try #require(try await pair.first.ask(for: "csv", by: caller).text("id"))
            try await pair.first.make()
            let before = try await pair.first.data(id)
            #expect(before.status == .ok)
            let file = try await ServedRoutes.$now.withValue(pair.first.later) {
                try await pair.first.served.cases.exports.downloads.file(
                    of: try #require(ExportID(id)), revision: nil)
            }
            let pieces = try await file.chunks(nil)

            let other = try #require(try await pair.second.ask(for: "tsv", by: caller).text("id"))
            try await pair.second.make()
            #expect(try await pair.second.data(other).status == .ok)
            var read = ByteBuffer()
            for try await piece in pieces { read.writeImmutableBuffer(piece) }
            #expect(read == before.body, "a download that has begun goes on")

            for scene in pair.both {
                let missing = try await scene.data(id)
                #expect(try missing.status == .conflict && missing.problem == "export-not-ready")
            }
            try await pair.make()
            let again = [try await pair.first.data(id), try await pair.second.data(id)]
            #expect(again.allSatisfy { $0.body == before.body && $0.headers[.eTag] == before.headers[.eTag] })
            #expect(try await pair.first.served.database.events("ExportMade", of: id) == 1)
        }
    }
}

/// Where two processes wait for each other once.
private final class Meeting: Sendable {
    private let count = NIOLockedValueBox(0)

    var arrivals: Int { count.withLockedValue(\.self) }

    func arrive() async throws {
        count.withLockedValue { $0 += 1 }
        try await until("the other process makes nothing") { arrivals >= 2 }
    }
}

/// A store in whose first file a process meets the other one.
private final class MeetingStore: PhotoStore {
    private let store: any PhotoStore
    private let meeting: Meeting
    private let hasMet = NIOLockedValueBox(false)

    init(_ store: any PhotoStore, _ meeting: Meeting) {
        (self.store, self.meeting) = (store, meeting)
    }

    func put(_ file: String, as digest: SHA256Sum) async throws {
        let isFirst = hasMet.withLockedValue { met in
            defer { met = true }
            return !met
        }
        if isFirst { try await meeting.arrive() }
        try await store.put(file, as: digest)
    }

    func read(_ digest: SHA256Sum, _ range: Range<Int>?) async throws -> PhotoBytes {
        try await store.read(digest, range)
    }

    func remove(_ digest: SHA256Sum, putBefore moment: Date) async throws -> Bool {
        try await store.remove(digest, putBefore: moment)
    }

    func kept() -> AsyncThrowingStream<KeptBytes, any Error> { store.kept() }
}
