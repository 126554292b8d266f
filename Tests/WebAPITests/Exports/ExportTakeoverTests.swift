import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import PhotoStore
import Postgres
import TestSupport
import Testing
import Vault

@testable import Service
@testable import Web

/// An export whose process ends, or stalls, at any step is completed by another one.
struct ExportTakeoverTests {
    /// An export of three records that waits to be made, and the bytes that it must have.
    private struct Waiting {
        let scene: ExportScene
        let id: String
        let sha256: String

        init(_ scene: ExportScene) async throws {
            self.scene = scene
            for _ in 0..<3 { try await scene.approved() }
            let caller = try await Caller.register(scene.served)
            id = try #require(try await scene.ask(by: caller).text("id"))
            let cases = scene.served.cases
            let folder = SharedFolders.path("expected")
            let files = cases.exports.files(over: cases.ground.pool, in: folder, disk: DiskSpace(of: [folder]))
            try await scene.served.followToHead()
            let file = try await ServedRoutes.$now.withValue(scene.later) {
                try await files.make(
                    FileExportRequest(format: .csv, filter: RecordFilter(), asOf: .day(scene.day)))
            }
            sha256 = file.facts.sha256.text
        }

        /// The export is not there for anyone, though its claim may last.
        func expectNothing(_ state: String = "running") async throws {
            try await scene.served.followToHead()
            let export = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try export.text("state") == state && export["revisions"]?.items.isEmpty == true)
            for part in ["data", "manifest", "CITATION.cff"] {
                let answer = try await scene.send(.get, "/v1/exports/\(id)/\(part)")
                #expect(answer.status == .conflict && answer.headers[.eTag] == nil, "\(part)")
                #expect(try answer.problem == "export-not-ready")
            }
            #expect(try await scene.served.database.events("ExportMade", of: id) == 0)
        }

        /// Has another process make it, once the claim has expired.
        func takeOver() async throws {
            try await until("the export is not taken over") {
                try await scene.pass(seconds: 61)
                try await scene.make()
                return try await scene.state(id) == "ready"
            }
        }

        /// It was made once, with the bytes that it must have.
        func expectMade() async throws {
            try await scene.served.followToHead()
            let export = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try export.text("state") == "ready" && export["revisions"]?.items.count == 1)
            #expect(try export.text("revisions.0.sha256") == sha256)
            let data = try await scene.data(id)
            #expect(data.status == .ok && Hexadecimal.sha256(of: data.body) == sha256)
            #expect(try await scene.served.database.events("ExportMade", of: id) == 1)
            #expect(try await scene.served.database.exportJobs() == 0)
            let exports = scene.served.cases.exports.settings
            #expect(try await exports.store.checkedNames() == [sha256])
        }

        /// A worker that the step stops.
        func work(_ stop: WorkerStop) -> Task<Void, any Error> {
            stop.begin {
                try await ServedRoutes.$now.withValue(scene.later) { try await stop.worker(scene.worker()).work() }
            }
        }
    }

    @Test(arguments: ExportStep.allCases)
    func `an export whose process ends at any step is made by another one, with the same bytes`(
        _ step: ExportStep
    ) async throws {
        let stop = WorkerStop(at: step)
        try await ExportScene.run(stop.settings()) { scene in
            let export = try await Waiting(scene)
            if step == .claimed {
                let jobs = ExportJobs(database: scene.served.cases.ground.pool)
                #expect(try await jobs.claim(for: ExportWorker.lease) != nil)
            } else {
                let ended = await export.work(stop).result
                #expect(stop.isReached)
                if step != .recorded { #expect(throws: (any Error).self) { try ended.get() } }
            }
            guard step != .recorded else { return try await export.expectMade() }
            try await export.expectNothing()
            let names = try await scene.served.cases.exports.settings.store.checkedNames()
            #expect(names == (step == .stored ? [export.sha256] : []))
            // While the claim lasts, other processes leave it alone.
            try await scene.make()
            try await export.expectNothing()
            try await export.takeOver()
            try await export.expectMade()
        }
    }

    @Test(arguments: [ExportStep.noted, .stored])
    func `a process that stalls and goes on later finds its export made, and changes nothing`(
        _ step: ExportStep
    ) async throws {
        let stop = WorkerStop(at: step, .stalls)
        try await ExportScene.run(stop.settings()) { scene in
            let export = try await Waiting(scene)
            let stalled = export.work(stop)
            try await until("the worker does not reach the step") { stop.isReached }
            try await export.expectNothing()
            try await export.takeOver()
            try await export.expectMade()
            stop.release()
            try await stalled.value
            try await export.expectMade()
        }
    }
}
