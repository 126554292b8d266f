import EventLog
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import ReadModels
import Service
import TestSupport
import Testing

@testable import Web

/// A route waits for all read models that its statements read: a list never shows a photo of a sighting that it lacks.
@Suite(.hangs) struct ReadPlanTests {
    /// The models that a route reads without waiting for them.
    private static let excused: [String: Set<ReadModel>] = [
        // The public id is missing until the model has the sighting's newest event.
        "GET /v1/me/findings": [.sightingsPublic],
        "GET /v1/me/findings/{id}": [.sightingsPublic],
        // The reading is noted unless the model has the newest event, and shows the same place to everyone.
        "GET /v1/moderation/sightings/{id}/history": [.sightingsPublic],
        "GET /v1/moderation/photos/{id}": [.sightingsPublic, .accounts],
        // The sighting is read from the log, and its evidence is missing until the models have it.
        "GET /v1/moderation/sightings/{id}": [.sightingsExact, .sightingsPublic, .photos, .accounts],
    ]

    @Test func `a route waits for every read model that its statements read`() async throws {
        let watch = StatementWatch()
        let reading = NIOLockedValueBox<Set<String>>([])
        try await ServedRoutes.run(watchedBy: watch) { served in
            let scene = try await CrowdedScene(served, with: Caller.sighting(), among: 100, taxa: 0)
            try await EveryRequest(served, scene, "great-lakes").sendAll { route, send in
                let (reports, models) = try await watch.reads(send)
                guard route.method == .get else { return }
                let read = ReadModel.all.filter { model in
                    reports.contains { model.isNamed(in: $0) && !Self.isOfDirectory($0) }
                }
                if !read.isEmpty { reading.withLockedValue { _ = $0.insert(route.name) } }
                let missing = Set(read.map(\.name)).subtracting(models)
                    .subtracting((Self.excused[route.name] ?? []).map(\.name))
                #expect(missing.isEmpty, "\(route.name) does not wait for \(missing.sorted())")
            }
        }
        let found = reading.withLockedValue { $0 }
        let unread = Set(Self.excused.keys).subtracting(found).sorted()
        #expect(unread.isEmpty && found.count > 20, "nothing is read by \(unread)")
    }

    /// Whether it is the statement that asks every second which accounts have changed.
    private static func isOfDirectory(_ report: String) -> Bool {
        report.contains("array(select a.id from")
    }
}

extension ReadModel {
    /// Whether a statement reads its tables or calls its functions.
    fileprivate func isNamed(in report: String) -> Bool {
        report.ranges(of: schema).contains { report[$0.upperBound...].first?.isNumber != true }
    }
}
