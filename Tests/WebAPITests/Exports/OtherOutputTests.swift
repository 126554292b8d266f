import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import PhotoStore
import Postgres
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// Exports of which this program, with its settings, makes other bytes.
struct OtherOutputTests {
    private static let documents = ["manifest", "CITATION.cff", "citation.bib", "datacite.json"]

    /// An export whose bytes cannot be made is not begun, and keeps its documents.
    private func expectGone(_ id: String, sha256: String, _ scene: ExportScene) async throws {
        for query in ["", "?revision=1"] {
            let gone = try await scene.data(id, query)
            #expect(try gone.status == .gone && gone.problem == "output-version", "\(String(buffer: gone.body))")
            #expect(gone.headers[.retryAfter] == nil && gone.headers[.link] == nil)
        }
        #expect(try await scene.served.database.exportJobs(of: id) == 0)
        for document in Self.documents {
            #expect(try await scene.send(.get, "/v1/exports/\(id)/\(document)").status == .ok, "\(document)")
        }
        #expect(try await scene.send(.get, "/v1/exports/\(id)/manifest").text("sha256") == sha256)
        let export = try await scene.send(.get, "/v1/exports/\(id)")
        #expect(try export.text("state") == "failed" && export.text("reason") == "output-version")
        #expect(try export.text("revisions.0.sha256") == sha256 && export.headers[.retryAfter] == nil)
    }

    @Test func `with another address, bytes that have left the store are not made again, and documents stay`()
        async throws
    {
        let old = TestExports.settings(site: ExportSite(address: "https://old.example.org"))
        let new = Self.moved(old)
        try await withTestDatabase(models: ReadModel.all) { database in
            try await ServedRoutes.serve(database, exports: old) { first in
                try await ServedRoutes.serve(database, exports: new) { second in
                    let (before, after) = (ExportScene(served: first), ExportScene(served: second))
                    try await before.approved()
                    let caller = try await Caller.register(first)
                    let id = try #require(try await before.ask(for: "csv", by: caller).text("id"))
                    try await before.make()
                    let bytes = try await before.data(id).body
                    let sha256 = Hexadecimal.sha256(of: bytes)
                    try await second.followToHead()
                    #expect(try await after.data(id).body == bytes, "stored bytes are those of then")
                    try await old.store.evictAll(database)
                    try await expectGone(id, sha256: sha256, after)
                    // A job that another process began changes nothing.
                    #expect(try await before.data(id).problem == "export-not-ready")
                    try await after.make()
                    try await expectGone(id, sha256: sha256, after)
                    // With the address of then, they are made again.
                    #expect(try await before.data(id).problem == "export-not-ready")
                    try await before.make()
                    #expect(try await before.data(id).body == bytes)
                }
            }
        }
    }

    private static func moved(_ settings: ExportSettings) -> ExportSettings {
        var settings = settings.ofAnotherProcess
        settings.site.address = "https://new.example.org"
        return settings
    }

    @Test func `an export of an earlier output version that was made keeps its documents, and cannot be verified`()
        async throws
    {
        try await ExportScene.run(TestExports.settings()) { scene in
            try await scene.approved()
            let caller = try await Caller.register(scene.served)
            let made = try await scene.otherRevision(by: caller)
            let id = try await scene.asked(ofVersion: ExportOutput.version - 1, by: caller)
            try await scene.note(made, of: id)
            try await expectGone(id, sha256: ExportScene.otherHash.text, scene)
            let manifest = try await scene.send(.get, "/v1/exports/\(id)/manifest")
            #expect(try manifest["outputVersion"] == .integer(ExportOutput.version - 1))
            let verdict = try await scene.verify(id)
            guard case .otherOutput(ExportOutput.version - 1) = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(!verdict.isExpected)
        }
    }

    @Test func `an export of an earlier output version that was not made fails`() async throws {
        try await ExportScene.run(TestExports.settings()) { scene in
            try await scene.approved()
            let caller = try await Caller.register(scene.served)
            let id = try await scene.asked(ofVersion: ExportOutput.version - 1, by: caller)
            try await scene.make()
            let failed = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try failed.text("state") == "failed" && failed.text("reason") == "output-version")
            let data = try await scene.data(id)
            #expect(try data.problem == "export-not-ready" && data.headers[.retryAfter] == nil)
            #expect(try await scene.served.database.exportJobs(of: id) == 0)
        }
    }

    @Test func `an export of a later output version waits for a process that makes it`() async throws {
        try await ExportScene.run(TestExports.settings()) { scene in
            try await scene.approved()
            let caller = try await Caller.register(scene.served)
            let id = try await scene.asked(ofVersion: ExportOutput.version + 1, by: caller)
            // More often than an export that fails is tried.
            for _ in 0..<10 {
                try await scene.make()
                #expect(try await scene.state(id) == "queued")
                let data = try await scene.data(id)
                #expect(try data.problem == "export-not-ready" && data.headers[.retryAfter] != nil)
                #expect(try await scene.served.database.exportJobs(of: id) == 1)
                try await scene.pass(seconds: 11)
            }
            #expect(try await scene.served.database.events("ExportFailed", of: id) == 0)
        }
    }
}
