import Crypto
import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import PhotoStore
import ReadModels
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

struct ExportTests {
    @Test func `whoever asks for the same day gets the same export, with the hash that it says`() async throws {
        try await ExportScene.run { scene in
            try await scene.approved()
            let (one, other) = (try await Caller.register(scene.served), try await Caller.register(scene.served))
            let first = try await scene.ask(by: one)
            #expect(first.status == .accepted && first.headers[.retryAfter] != nil)
            #expect(try first.text("state") == "queued" && first.text("repeatedBy") == "query")
            #expect(try first.text("asOf") == scene.day.description)
            let id = try #require(try first.text("id"))
            #expect(first.headers[.location] == "/v1/exports/\(id)")
            let second = try await scene.ask(by: other)
            #expect(try second.status == .ok && second.text("id") == id)
            // The same filter in other words.
            let explicit = try await scene.ask(
                #"{"format":"csv","filter":{"status":["approved","accepted-by-source"]},"asOf":"\#(scene.day)"}"#,
                by: other)
            #expect(try explicit.text("id") == id)
            let early = try await scene.data(id)
            #expect(try early.status == .conflict && early.problem == "export-not-ready")
            #expect(early.headers[.retryAfter] != nil)
            try await scene.make()
            let ready = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try ready.text("state") == "ready" && ready["revisions.0.rows"]?.integer == 1)
            #expect(!String(buffer: ready.body).contains(one.account?.description ?? "?"))
            let data = try await scene.data(id)
            let bytes = Array(buffer: data.body)
            let hash = Array(SHA256.hash(data: bytes))
            let digits = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(try ready.text("revisions.0.sha256") == digits)
            #expect(try ready["revisions.0.bytes"]?.integer == bytes.count)
            #expect(data.headers[.reprDigest] == "sha-256=:\(Data(hash).base64EncodedString()):")
            #expect(
                data.headers[.cacheControl] == "no-store" && data.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").count == 2)
            #expect(try await scene.ask(by: one).status == .ok)
        }
    }

    @Test func `an export is ready only with its bytes, and whoever looks at it has them made again`() async throws {
        try await ExportScene.run { scene in
            let (caller, other) = (try await Caller.register(scene.served), try await Caller.register(scene.served))
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.make()
            let path = "/v1/exports/\(id)"
            let ready = try await scene.send(.get, path)
            #expect(try ready.text("state") == "ready" && ready.headers[.retryAfter] == nil)
            #expect(ready.headers[.cacheControl] == "no-store")
            let tag = try #require(ready.headers[.eTag])
            #expect(try await scene.send(.get, path, headers: [.ifNoneMatch: tag]).status == .notModified)
            let store = scene.served.cases.exports.settings.store
            let bytes = try await scene.data(id).body
            for look in 0..<3 {
                try await store.evictAll(scene.served.database)
                let list = try await scene.send(.get, "/v1/me/exports", by: caller)
                #expect(try list.text("items.0.state") == "queued")
                // Only a look at the export itself, or a request for it, begins it.
                try await scene.make()
                #expect(try await store.checkedNames().isEmpty)
                let missing =
                    switch look {
                    case 0: try await scene.send(.get, path)
                    case 1: try await scene.ask(by: caller)
                    default: try await scene.ask(by: other)
                    }
                #expect(try missing.status == .ok && missing.text("state") == "queued", "\(look)")
                #expect(try missing.text("revisions.0.state") == "current" && missing.headers[.retryAfter] == "5")
                try await scene.make()
                #expect(try await scene.state(id) == "ready", "\(look)")
                let data = try await scene.data(id)
                #expect(data.status == .ok && data.body == bytes, "\(look)")
            }
        }
    }

    @Test func `an export without bytes is not ready while there is no room to make it again`() async throws {
        let settings = TestExports.settings(.with { $0.remakes = 0 })
        try await ExportScene.run(settings) { scene in
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.make()
            // As if someone had removed the file: the note about it is left.
            for try await kept in settings.store.kept() {
                try await settings.store.remove(kept.digest, putBefore: .distantFuture)
            }
            let missing = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try missing.text("state") == "queued" && missing.headers[.retryAfter] == "60")
            #expect(try await scene.data(id).status == .serviceUnavailable)
        }
    }

    @Test func `a manifest has the borders and the program that made the revision, as they were recorded`() async throws
    {
        try await ExportScene.run { scene in
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.make()
            let exports = scene.served.cases.exports
            let export = try await exports.reader.export(try #require(ExportID(id))).value.export
            var made = try #require(export.revisions.first)
            let borders = scene.served.cases.ground.places.index.version
            #expect(made.polygons == borders && made.software?.text == Software.name)
            let (documents, pool) = (exports.documents, scene.served.cases.ground.pool)
            let subject = try await documents.facts(of: export.id, revision: 1).value.subject
            (made.polygons, made.software) = (try PolygonSetCode("older-v1"), try SoftwareName("Skein 0.0.1"))
            let older = try await documents.facts.facts(of: made, subject, pool).versions
            #expect(older.polygons == "older-v1" && older.software == "Skein 0.0.1")
            // Revisions of earlier programs have neither.
            (made.polygons, made.software) = (nil, nil)
            let oldest = try await documents.facts.facts(of: made, subject, pool).versions
            #expect(oldest.polygons == nil && oldest.software == nil)
        }
    }

    @Test func `parts, conditions and gzip are as HTTP has them`() async throws {
        try await ExportScene.run { scene in
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.make()
            let whole = try await scene.data(id)
            let tag = try #require(whole.headers[.eTag])
            let part = try await scene.data(id, headers: [.range: "bytes=2-5"])
            #expect(part.status == .partialContent)
            #expect(Array(buffer: part.body) == Array(Array(buffer: whole.body)[2...5]))
            #expect(part.headers[.reprDigest] == whole.headers[.reprDigest])
            #expect(try await scene.data(id, headers: [.range: "bytes=9999999-"]).status == .rangeNotSatisfiable)
            #expect(try await scene.data(id, headers: [.ifNoneMatch: tag]).status == .notModified)
            let gzip = try await scene.data(id, headers: [.acceptEncoding: "gzip"])
            #expect(gzip.headers[.contentEncoding] == "gzip" && gzip.headers[.reprDigest] == nil)
            #expect(Array(buffer: gzip.body).prefix(2) == [0x1F, 0x8B])
            let other = try #require(gzip.headers[.eTag])
            #expect(other != tag)
            #expect(try await scene.data(id, headers: [.ifNoneMatch: other]).status == .notModified)
            // A download is continued only if the file is still the same.
            func status(_ headers: HTTPFields) async throws -> HTTPResponse.Status {
                try await scene.data(id, headers: headers).status
            }
            #expect(try await status([.ifMatch: tag, .range: "bytes=2-5"]) == .partialContent)
            #expect(try await status([.ifMatch: "*"]) == .ok)
            #expect(try await status([.ifMatch: other, .acceptEncoding: "gzip"]) == .ok)
            for stale in ["\"stale\"", "W/\(tag)", other] {
                let failed = try await scene.data(id, headers: [.ifMatch: stale])
                #expect(try failed.problem == "precondition-failed", "\(stale)")
            }
            #expect(
                try await status([.ifMatch: other, .range: "bytes=2-", .acceptEncoding: "gzip"]) == .preconditionFailed)
            #expect(try await status([.ifMatch: "\"stale\"", .ifNoneMatch: tag]) == .preconditionFailed)
            #expect(try await status([.ifMatch: "stale"]) == .badRequest)
            #expect(try await status([.ifNoneMatch: tag, .range: "bytes=9999999-"]) == .notModified)
            for (condition, expected) in [(tag, 206), ("\"stale\"", 200), ("W/\(tag)", 200)] {
                #expect(try await status([.ifRange: condition, .range: "bytes=2-5"]).code == expected)
            }
            #expect(
                part.headers[.acceptRanges] == "bytes" && part.headers[.contentRange]?.hasPrefix("bytes 2-5/") == true)
            let head = try await scene.send(.head, "/v1/exports/\(id)/data")
            #expect(head.status == .ok && head.headers[.contentLength] == "\(whole.body.readableBytes)")
            #expect(head.headers[.eTag] == tag && head.headers[.reprDigest] == whole.headers[.reprDigest])
            let gzipHead = try await scene.send(.head, "/v1/exports/\(id)/data", headers: [.acceptEncoding: "gzip"])
            #expect(gzipHead.headers[.contentLength] == nil && gzipHead.headers[.eTag] == other)
            #expect(try await scene.data(id, "?revision=1").status == .ok)
            #expect(try await scene.data(id, "?revision=2").status == .notFound)
            #expect(try await scene.data(UUID().uuidString).status == .notFound)
        }
    }

    @Test func `without a day, only the id repeats an export`() async throws {
        try await ExportScene.run { scene in
            let caller = try await Caller.register(scene.served)
            let key = UUID()
            let first = try await scene.ask(#"{"format":"tsv"}"#, by: caller, key: key)
            #expect(try first["statuses"]?.items.map(\.string) == ["approved", "accepted-by-source"])
            #expect(try first["asOf"] == .null && first.text("repeatedBy") == "id")
            let again = try await scene.ask(#"{"format":"tsv"}"#, by: caller, key: key)
            #expect(try again.status == .accepted && again.text("id") == first.text("id"))
            let other = try await scene.ask(#"{"format":"tsv"}"#, by: caller)
            #expect(try other.text("id") != first.text("id"))
            let reused = try await scene.ask(#"{"format":"csv"}"#, by: caller, key: key)
            #expect(try reused.problem == "idempotency-key-reused")
            let dated = try await scene.ask(#"{"format":"csv","asOf":"\#(scene.day)"}"#, by: caller, key: key)
            #expect(try dated.problem == "idempotency-key-reused")
            // Records that come later are not in it.
            try await scene.approved()
            try await scene.make()
            let id = try #require(try first.text("id"))
            let data = try await scene.data(id)
            #expect(String(buffer: data.body).split(separator: "\n").count == 1)
            let list = try await scene.send(.get, "/v1/me/exports", by: caller)
            #expect(try list["items"]?.items.count == 2 && list.text("items.1.id") == id)
        }
    }

    @Test func `all faults are named, and missing settings`() async throws {
        try await ExportScene.run { scene in
            let caller = try await Caller.register(scene.served)
            let wrong = try await scene.ask(
                #"{"format":"xls","asOf":"2999-01-01","filter":{"taxon":"\#(UUID())","from":"2026-05-02","#
                    + #""to":"2026-05-01","status":["pending"],"colour":1}}"#,
                by: caller)
            #expect(wrong.status == .unprocessableContent)
            #expect(
                try wrong.faults == [
                    "/format", "/asOf", "/filter/taxon", "/filter/from", "/filter/status/0", "/filter/colour",
                ])
            let archive = try await scene.ask(for: "dwca", by: caller)
            #expect(try archive.status == .serviceUnavailable && archive.problem == "not-configured")
            let detail = try archive.text("detail") ?? ""
            #expect(["SKEIN_PUBLIC_URL", "SKEIN_ORGANISATION", "SKEIN_CONTACT"].allSatisfy(detail.contains))
            let script = try await caller.script(#"["read"]"#)
            #expect(try await scene.ask(by: script.caller).status == .accepted)
        }
    }

    @Test func `an erased account does not keep an export from being cancelled`() async throws {
        try await ExportScene.run { scene in
            let (one, other) = (try await Caller.register(scene.served), try await Caller.register(scene.served))
            let id = try #require(try await scene.ask(by: one).text("id"))
            _ = try await scene.ask(by: other)
            #expect(try await one.leave(.keep).status == .accepted)
            #expect(try await scene.send(.delete, "/v1/me/exports/\(id)", by: other).status == .noContent)
            try await scene.served.followToHead()
            #expect(try await scene.state(id) == "cancelled")
        }
    }

    @Test func `an export that was cancelled can be asked for again, and others keep theirs`() async throws {
        try await ExportScene.run { scene in
            let (one, other) = (try await Caller.register(scene.served), try await Caller.register(scene.served))
            let id = try #require(try await scene.ask(by: one).text("id"))
            let path = "/v1/me/exports/\(id)"
            #expect(try await scene.send(.delete, path, by: other).status == .notFound)
            _ = try await scene.ask(by: other)
            #expect(try await scene.send(.delete, path, by: one).status == .noContent)
            try await scene.served.followToHead()
            #expect(try await scene.state(id) == "queued")
            #expect(try await scene.send(.delete, path, by: other).status == .noContent)
            try await scene.served.followToHead()
            #expect(try await scene.state(id) == "cancelled")
            let list = try await scene.send(.get, "/v1/me/exports", by: one)
            #expect(try list["items"]?.items.isEmpty == true)
            try await scene.make()
            #expect(try await scene.state(id) == "cancelled")
            #expect(try await scene.ask(by: one).status == .accepted)
            try await scene.make()
            #expect(try await scene.state(id) == "ready")
            // One that is made stays.
            #expect(try await scene.send(.delete, path, by: one).status == .noContent)
            try await scene.served.followToHead()
            #expect(try await scene.data(id).status == .ok)
        }
    }
}
