import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// The files that operators make, and what making exports again finds.
struct FileExportTests {
    private static let site = ExportSite(
        address: "https://skein.example.org", organisation: "Wren Society", contact: "data@example.org")

    /// Runs something over routes whose exports name an organisation.
    private func run(_ body: @Sendable (ExportScene, FileExports) async throws -> Void) async throws {
        let settings = TestExports.settings(site: Self.site)
        try await ExportScene.run(settings) { scene in
            let cases = scene.served.cases
            try await body(
                scene, cases.exports.files(over: cases.ground.pool, in: settings.folder + "/files", disk: settings.disk)
            )
        }
    }

    /// Does something when the day of the submissions is over.
    private func later<Value>(_ scene: ExportScene, _ body: () async throws -> Value) async throws -> Value {
        try await scene.served.followToHead()
        return try await ServedRoutes.$now.withValue(scene.later) { try await body() }
    }

    /// The log's head, which all models have reached.
    private func head(_ scene: ExportScene) async throws -> Int64 {
        try await scene.served.followToHead()
        return try await scene.served.cases.ground.log.current().position
    }

    @Test(arguments: [ExportFormat.csv, .dwca])
    func `a file as of a day has the bytes of the service's export`(_ format: ExportFormat) async throws {
        try await run { scene, files in
            try await scene.approved()
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(for: format.rawValue, by: caller).text("id"))
            try await scene.make()
            let data = try await scene.data(id)
            let request = FileExportRequest(format: format, filter: RecordFilter(), asOf: .day(scene.day))
            let file = try await later(scene) { try await files.make(request) }
            #expect(try Array(Data(contentsOf: URL(filePath: file.path))) == Array(buffer: data.body))
            #expect(file.facts.subject.id.description == id && file.facts.subject.url?.hasSuffix(id) == true)
            #expect(file.facts.contents.rows == 1 && file.facts.revision == 1)
            let (recorded, verdict) = try await later(scene) { try await files.verify(try #require(ExportID(id))) }
            guard case .identical = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(recorded?.sha256 == file.facts.sha256)
        }
    }

    @Test func `a file as of a position or a time has the records that were known then`() async throws {
        try await run { scene, files in
            let before = try await head(scene)
            try await scene.approved()
            let after = try await head(scene)
            func rows(_ asOf: FileExportRequest.AsOf) async throws -> Int {
                let request = FileExportRequest(format: .csv, filter: RecordFilter(), asOf: asOf)
                let file = try await files.make(request)
                #expect(file.facts.subject.url == nil && file.facts.subject.day.asOf == nil)
                return file.facts.contents.rows
            }
            #expect(try await rows(.position(before)) == 0)
            #expect(try await rows(.position(after)) == 1)
            #expect(try await rows(.now) == 1)
            #expect(try await rows(.time(.now)) == 1)
            #expect(try await rows(.time(Instant.now.adding(seconds: -3_600))) == 0)
        }
    }

    @Test func `an export that a restriction has touched is restricted, with a number`() async throws {
        try await run { scene, files in
            let birder = try await Caller.register(scene.served)
            let sighting = try #require(try await birder.submit().text("id"))
            let moderator = try await Caller.register(scene.served, role: .moderator)
            let decided = try await moderator.send(
                .post, "/v1/moderation/sightings/\(sighting)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try #require(decided.status == .ok)
            let id = try #require(try await scene.ask(by: birder).text("id"))
            try await scene.make()
            let hidden = try await birder.send(
                .patch, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"], json: #"{"geoprivacy":"private"}"#)
            try #require(hidden.status == .ok)
            let verdict = try await later(scene) { try await files.verify(try #require(ExportID(id))).verdict }
            guard case .restricted(let records) = verdict else {
                Issue.record("\(verdict)")
                return
            }
            // Over the end of a month, it is in the export again, under another id and with less.
            #expect(records == 1)
        }
    }

    @Test func `an archive without the settings that it needs is not made`() async throws {
        try await ExportScene.run { scene in
            let cases = scene.served.cases
            let files = cases.exports.files(
                over: cases.ground.pool, in: cases.exports.settings.folder, disk: cases.exports.settings.disk)
            try await scene.served.followToHead()
            await #expect(throws: FileExportError.notConfigured(ExportSite.Setting.allCases)) {
                _ = try await files.make(FileExportRequest(format: .dwca, filter: RecordFilter()))
            }
        }
    }
}
