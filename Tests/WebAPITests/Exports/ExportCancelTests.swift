import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import PhotoStore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// An export that is cancelled while a worker makes it.
struct ExportCancelTests {
    /// An export whose worker is held at a step when its account cancels it.
    /// - Parameter work: lets the worker end, with a task that ends with it.
    private func cancel(
        at step: ExportStep, renewing renewal: Duration,
        _ work: @Sendable (WorkerStop, Task<Void, any Error>) async throws -> Void
    ) async throws {
        let stop = WorkerStop(at: step, .stalls)
        let settings = stop.settings()
        try await ExportScene.run(settings) { scene in
            for _ in 0..<3 { try await scene.approved() }
            let caller = try await Caller.register(scene.served)
            let id = try #require(try await scene.ask(by: caller).text("id"))
            try await scene.served.followToHead()
            let working = stop.begin {
                var worker = stop.worker(scene.worker())
                worker.renewal = renewal
                try await ServedRoutes.$now.withValue(scene.later) { [worker] in try await worker.work() }
            }
            try await until("the worker does not reach the step") { stop.isReached }
            #expect(try await scene.state(id) == "running")
            #expect(try await scene.send(.delete, "/v1/me/exports/\(id)", by: caller).status == .noContent)
            try await work(stop, working)
            try await scene.served.followToHead()
            let export = try await scene.send(.get, "/v1/exports/\(id)")
            #expect(try export.text("state") == "cancelled" && export["revisions"]?.items.isEmpty == true)
            #expect(try await scene.data(id).problem == "export-not-ready")
            #expect(try await scene.served.database.events("ExportMade", of: id) == 0)
            #expect(try await scene.served.database.exportJobs() == 0)
            #expect(try await settings.store.checkedNames().isEmpty)
            let left = try? FileManager.default.contentsOfDirectory(atPath: settings.folder)
            #expect(left?.isEmpty ?? true, "\(left ?? [])")
        }
    }

    @Test(.hangs, arguments: [ExportStep.noted, .stored])
    func `a worker ends when its export is cancelled, and leaves nothing in the store`(_ step: ExportStep) async throws
    {
        // The step would last for ever: only the end of the claim ends it.
        try await cancel(at: step, renewing: .milliseconds(20)) { _, working in try await working.value }
    }

    @Test(arguments: [ExportStep.noted, .stored])
    func `a worker that learns of it only when the bytes are stored removes them`(_ step: ExportStep) async throws {
        try await cancel(at: step, renewing: .seconds(15)) { stop, working in
            stop.release()
            try await working.value
        }
    }
}
