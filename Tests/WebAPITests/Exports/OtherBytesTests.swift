import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import PhotoStore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Exports whose bytes, made again, are other ones than those that were recorded.
struct OtherBytesTests {
    /// A birder with a sighting that a moderator has approved.
    private func birder(_ scene: ExportScene) async throws -> Caller {
        let birder = try await Caller.register(scene.served)
        let body = Caller.sighting(more: #","notes":"by the heron pond""#)
        let id = try #require(try await birder.submit(body).text("id"))
        let moderator = try await Caller.register(scene.served, role: .moderator)
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        try #require(decided.status == .ok, "\(String(buffer: decided.body))")
        return birder
    }

    private func erase(_ caller: Caller) async throws {
        let erased = try await caller.send(
            .post, "/v1/me/erasure", json: #"{"password":"\#(Caller.password)","sightings":"keep"}"#)
        try #require(erased.status.code < 300, "\(String(buffer: erased.body))")
    }

    @Test func `an export whose bytes are other ones fails, and is made once more when it is asked for again`()
        async throws
    {
        try await ExportScene.run(TestExports.settings()) { scene in
            let caller = try await birder(scene)
            let id = try await scene.madeOtherwise(by: caller)
            let database = scene.served.database
            let missing = try await scene.data(id)
            #expect(try missing.problem == "export-not-ready" && missing.headers[.retryAfter] != nil)
            try await scene.make()
            for _ in 0..<2 {
                let failed = try await scene.data(id)
                #expect(try failed.problem == "export-not-ready" && failed.headers[.retryAfter] == nil)
                #expect(try await database.exportJobs(of: id) == 0, "a download does not begin it again")
                try await scene.make()
            }
            #expect(try await database.events("ExportFailed", of: id) == 1)
            let export = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try export.text("state") == "failed" && export.text("reason") == "different-bytes")
            let manifest = try await scene.send(.get, "/v1/exports/\(id)/manifest")
            #expect(try manifest.text("sha256") == ExportScene.otherHash.text)

            #expect(try await scene.ask(for: "tsv", by: caller).status == .accepted)
            try await scene.make()
            let next = try await scene.data(id, "?revision=2")
            #expect(next.status == .ok)
            #expect(try await scene.revision(of: id).sha256.text == Hexadecimal.sha256(of: next.body))
            #expect(try await scene.data(id, "?revision=1").problem == "gone")
            let first = try await scene.send(.get, "/v1/exports/\(id)/manifest?revision=1")
            #expect(try first.text("sha256") == ExportScene.otherHash.text)
        }
    }

    @Test func `other bytes are different, whatever was lost that the export does not have`() async throws {
        try await ExportScene.run(TestExports.settings()) { scene in
            let id = try await scene.madeOtherwise(by: try await birder(scene))
            let (left, withdrew) = (try await Caller.register(scene.served), try await Caller.register(scene.served))
            _ = try await left.submit()
            let pending = try #require(try await withdrew.submit().text("id"))
            try await erase(left)
            let withdrawn = try await withdrew.send(
                .delete, "/v1/me/findings/\(pending)?reason=privacy", headers: [.ifMatch: "*"])
            try #require(withdrawn.status.code < 300, "\(String(buffer: withdrawn.body))")
            let verdict = try await scene.verify(id)
            guard case .different(let made) = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(!verdict.isExpected && made.rows == 1 && made.sha256 != ExportScene.otherHash)
        }
    }

    @Test func `a loss of one of its records explains other bytes`() async throws {
        try await ExportScene.run(TestExports.settings()) { scene in
            let birder = try await birder(scene)
            let id = try #require(try await scene.ask(by: birder).text("id"))
            try await scene.make()
            try await erase(birder)
            let verdict = try await scene.verify(id)
            guard case .restricted = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(verdict.isExpected)
        }
    }

    @Test func `an export that was not made has nothing to compare`() async throws {
        try await ExportScene.run(TestExports.settings()) { scene in
            let id = try #require(try await scene.ask(by: try await birder(scene)).text("id"))
            let verdict = try await scene.verify(id)
            guard case .notMade(.queued) = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(!verdict.isExpected)
        }
    }
}
