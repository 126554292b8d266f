import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import TestSupport
import Testing

@testable import Web
@testable import WebAPI

/// What was restricted leaves exports that were made before.
struct RestrictedExportTests {
    /// A record of a birder that is in an export as of a day.
    private struct Scene {
        let served: ServedRoutes
        let birder: Caller
        let sighting: String
        let export: String
        let bytes: ByteBuffer

        static let notes = "by the heron pond"

        /// The day of the export.
        let day: CivilDate
        /// The clock of requests: the day is over.
        var now: Instant

        /// - Parameter days: from today to the day of the export.
        static func make(_ served: ServedRoutes, days: Int = 1) async throws -> Scene {
            let now = Instant.now.adding(seconds: (days + 2) * 86_400)
            let day = Instant.now.date().adding(days: days)
            let birder = try await Caller.register(served)
            let body = Caller.sighting(more: #","notes":"\#(notes)""#).replacing("47.65", with: "13.65")
            let id = try #require(try await birder.submit(body).text("id"))
            let moderator = try await Caller.register(served, role: .moderator)
            let decided = try await moderator.send(
                .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try #require(decided.status == .ok, "\(String(buffer: decided.body))")
            return try await ServedRoutes.$now.withValue(now) {
                let asked = try await birder.send(
                    .post, "/v1/exports", json: #"{"format":"csv","filter":{},"asOf":"\#(day)"}"#)
                try #require(asked.status == .accepted, "\(String(buffer: asked.body))")
                let export = try #require(try asked.text("id"))
                try await work(served)
                let data = try await Caller.anonymous(served).send(.get, "/v1/exports/\(export)/data")
                try #require(data.status == .ok, "\(String(buffer: data.body))")
                return Scene(
                    served: served, birder: birder, sighting: id, export: export, bytes: data.body, day: day, now: now)
            }
        }

        private static func work(_ served: ServedRoutes) async throws {
            try await served.followToHead()
            try await served.cases.exports.worker(logger: served.logger).work()
            try await served.followToHead()
        }

        func get(_ path: String) async throws -> TestResponse {
            try await Caller.anonymous(served).read("/v1/exports/\(export)\(path)", at: now)
        }

        /// The answer for a revision that should be restricted, after a look.
        func restricted(_ revision: Int = 1) async throws -> TestResponse {
            try await served.followToHead()
            try await ServedRoutes.$now.withValue(now) { try await served.cases.exports.watch.look() }
            try await served.followToHead()
            let last = try await get("/data?revision=\(revision)")
            #expect(last.status == .gone)
            return last
        }

        /// The bytes of the next revision, which is made when it is asked for.
        func next(_ revision: Int = 2) async throws -> ByteBuffer {
            let waiting = try await get("/data")
            #expect(waiting.status == .conflict)
            #expect(try waiting.problem == "export-not-ready")
            try await ServedRoutes.$now.withValue(now) { try await Self.work(served) }
            let data = try await get("/data?revision=\(revision)")
            #expect(data.status == .ok)
            return data.body
        }
    }

    @Test func `the erasure of an account takes its name and notes from exports`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene.make(served)
            #expect(String(buffer: scene.bytes).contains(Scene.notes))
            let erased = try await scene.birder.send(
                .post, "/v1/me/erasure", json: #"{"password":"\#(Caller.password)","sightings":"keep"}"#)
            try #require(erased.status.code < 300, "\(String(buffer: erased.body))")
            let gone = try await scene.restricted()
            #expect(try gone.problem == "export-restricted")
            #expect(
                gone.headers[.link] == "</v1/exports/\(scene.export)/data?revision=2>; rel=\"successor-version\"")
            // The notes are still beside the log: the rows tell that they may not be shown.
            let text = String(buffer: try await scene.next())
            #expect(!text.contains(Scene.notes) && text.contains(scene.sighting))
            let export = try await scene.get("")
            #expect(try export.text("revisions.0.state") == "restricted")
            #expect(try export.text("revisions.1.state") == "current")
            #expect(try await scene.get("/data?revision=1").status == .gone)
            #expect(try await scene.get("/data?revision=3").status == .notFound)
        }
    }

    @Test func `a request has a restricted export made again only where others leave room`() async throws {
        let settings = TestExports.settings(.with { $0.remakes = 0 })
        try await ServedRoutes.run(exports: settings) { served in
            let scene = try await Scene.make(served)
            let anonymous = try await scene.birder.send(
                .patch, "/v1/me", headers: [.ifMatch: "*"], json: #"{"attribution":"anonymous"}"#)
            try #require(anonymous.status == .ok, "\(String(buffer: anonymous.body))")
            _ = try await scene.restricted()
            let asked = try await ServedRoutes.$now.withValue(scene.now) {
                try await scene.birder.send(
                    .post, "/v1/exports", json: #"{"format":"csv","filter":{},"asOf":"\#(scene.day)"}"#)
            }
            #expect(asked.status == .serviceUnavailable && asked.headers[.retryAfter] != nil)
            let download = try await scene.get("/data")
            #expect(download.status == .serviceUnavailable)
        }
    }

    @Test func `whoever looks at a restricted export has its next revision made, and it is ready with that`()
        async throws
    {
        try await ServedRoutes.run { served in
            let scene = try await Scene.make(served)
            let anonymous = try await scene.birder.send(
                .patch, "/v1/me", headers: [.ifMatch: "*"], json: #"{"attribution":"anonymous"}"#)
            try #require(anonymous.status == .ok, "\(String(buffer: anonymous.body))")
            _ = try await scene.restricted()
            let waiting = try await scene.get("")
            #expect(try waiting.text("state") == "queued" && waiting.headers[.retryAfter] != nil)
            #expect(try waiting.text("revisions.0.state") == "restricted")
            try await ServedRoutes.$now.withValue(scene.now) { try await served.makeExports() }
            let ready = try await scene.get("")
            #expect(try ready.text("state") == "ready" && ready["revisions.1.revision"] == .integer(2))
            #expect(try await scene.get("/data").status == .ok)
        }
    }

    @Test func `from the third revision on, Retry-After has the seconds until the hour is over`() async throws {
        try await ServedRoutes.run { served in
            var scene = try await Scene.make(served)
            let anonymous = try await scene.birder.send(
                .patch, "/v1/me", headers: [.ifMatch: "*"], json: #"{"attribution":"anonymous"}"#)
            try #require(anonymous.status == .ok, "\(String(buffer: anonymous.body))")
            _ = try await scene.restricted()
            _ = try await scene.next()
            let erased = try await scene.birder.send(
                .post, "/v1/me/erasure", json: #"{"password":"\#(Caller.password)","sightings":"keep"}"#)
            try #require(erased.status.code < 300, "\(String(buffer: erased.body))")
            _ = try await scene.restricted(2)
            // The second revision was made at the database's time.
            scene.now = .now
            for path in ["/data", "/data?revision=3", ""] {
                let waiting = try await scene.get(path)
                let seconds = try #require(waiting.headers[.retryAfter].flatMap { Int($0) })
                #expect((3_000...3_600).contains(seconds), "\(path) \(seconds)")
            }
        }
    }

    @Test func `a record that is narrowed leaves exports, running downloads included`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene.make(served)
            let id = try #require(ExportID(scene.export))
            let file = try await ServedRoutes.$now.withValue(scene.now) {
                try await served.cases.exports.downloads.file(of: id, revision: 1)
            }
            var pieces = try await file.chunks(nil).makeAsyncIterator()
            let narrowed = try await scene.birder.send(
                .patch, "/v1/me/findings/\(scene.sighting)", headers: [.ifMatch: "*"],
                json: #"{"geoprivacy":"private"}"#)
            try #require(narrowed.status == .ok, "\(String(buffer: narrowed.body))")
            _ = try await scene.restricted()
            do {
                _ = try await pieces.next()
                Issue.record("the download went on")
            } catch is ExportChunks.Ended {}
            #expect(!String(buffer: try await scene.next()).contains(scene.sighting))
        }
    }

    /// The clock is driven: the ends of months that it has passed stay where the log was then.
    @Test func `a month's turn brings a narrowed record back, and touches the export again`() async throws {
        try await ServedRoutes.run { served in
            var scene = try await Scene.make(served, days: 35)
            let narrowed = try await scene.birder.send(
                .patch, "/v1/me/findings/\(scene.sighting)", headers: [.ifMatch: "*"],
                json: #"{"geoprivacy":"private"}"#)
            try #require(narrowed.status == .ok, "\(String(buffer: narrowed.body))")
            _ = try await scene.restricted()
            _ = try await scene.next()
            #expect(try await scene.get("")["revisions.1.rows"] == .integer(0))
            // Nothing happens but time, first within the month.
            try await ServedRoutes.$now.withValue(scene.now) { try await served.cases.exports.watch.look() }
            #expect(try await scene.get("/data").status == .ok)
            scene.now = scene.now.adding(seconds: 32 * 86_400)
            _ = try await scene.restricted(2)
            let text = String(buffer: try await scene.next(3))
            #expect(!text.contains(scene.sighting) && !text.contains(Scene.notes))
            #expect(try await scene.get("")["revisions.2.rows"] == .integer(1))
        }
    }

    @Test func `what does not touch an export leaves its bytes`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene.make(served)
            // Private from the beginning, and withdrawn: nobody has seen it.
            let hidden = try await scene.birder.submit(
                Caller.sighting(more: #","geoprivacy":"private""#).replacing("47.65", with: "13.65"))
            let id = try #require(try hidden.text("id"))
            let withdrawn = try await scene.birder.send(
                .delete, "/v1/me/findings/\(id)?reason=privacy", headers: [.ifMatch: "*"])
            try #require(withdrawn.status.code < 300, "\(String(buffer: withdrawn.body))")
            let seen = try await scene.birder.send(.get, "/v1/me/findings/\(scene.sighting)", headers: [:])
            #expect(seen.status == .ok)
            try await served.followToHead()
            try await ServedRoutes.$now.withValue(scene.now) { try await served.cases.exports.watch.look() }
            let data = try await scene.get("/data")
            #expect(data.status == .ok && data.body == scene.bytes)
            #expect(try await scene.get("").text("revisions.0.state") == "current")
        }
    }

    @Test func `errata name what a later day adds, and no day before the export's`() async throws {
        try await ServedRoutes.run { served in
            let scene = try await Scene.make(served)
            let none = try await scene.get("/errata?asOf=\(scene.day)")
            #expect(none.status == .ok, "\(String(buffer: none.body))")
            #expect(try none.json["items"]?.items.isEmpty == true)
            #expect(try none.text("asOf") == "\(scene.day)")
            let early = try await scene.get("/errata?asOf=\(scene.day.adding(days: -1))")
            #expect(try early.problem == "invalid-parameter")
            let open = try await scene.get("/errata?asOf=2200-01-01")
            #expect(try open.problem == "day-not-over")
            // As of that day, nothing was known.
            let earlier = Instant.now.date().adding(days: -2)
            let asked = try await scene.birder.send(
                .post, "/v1/exports", json: #"{"format":"csv","filter":{},"asOf":"\#(earlier)"}"#)
            let id = try #require(try asked.text("id"))
            let added = try await Caller.anonymous(served).read(
                "/v1/exports/\(id)/errata?asOf=\(scene.day)&limit=1", at: scene.now)
            #expect(try added.text("items.0.change") == "added")
            #expect(try added.text("items.0.reason") == "submitted")
            #expect(try added.text("items.0.id") == scene.sighting)
        }
    }
}
