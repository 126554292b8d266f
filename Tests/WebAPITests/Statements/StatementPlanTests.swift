import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import ReadModels
import Service
import TestSupport
import Testing

/// No statement of a request depends on the luck of its plan.
///
/// PostgreSQL plans a prepared statement for its values five times, then it may take one plan for all values, and
/// before a table is analysed it guesses. So every route is requested, and every list with each of its parameters,
/// under both kinds of plans, before and after the tables are analysed; the statements are those that the server
/// reports. Each is requested four times, which takes some time.
@Suite(.hangs) struct StatementPlanTests {
    private static let sightings = 60_000
    /// One kind of plan may take so many times as many rows as another one.
    private static let factor = 10
    /// Rows that no one notices: some milliseconds.
    private static let few = 10_000

    @Test func `a statement takes much the same rows by any kind of plan, analysed or not`() async throws {
        let works = NIOLockedValueBox<[String: [String: Int]]>([:])
        try await withTestDatabase(models: ReadModel.all) { database in
            let scene = try await Self.fill(database)
            // Each needs a region without targets.
            var regions = ["great-lakes", "pacific-northwest", "alaska", "california"]
            for analysed in ["before", "after"] {
                if analysed == "after" { try await scene.analyse() }
                for plans in ["force_custom_plan", "force_generic_plan"] {
                    let region = regions.removeLast()
                    let watch = StatementWatch()
                    try await ServedRoutes.serve(database, watchedBy: watch, planning: plans) { served in
                        let found = try await watch.works { try await EveryRequest(served, scene, region).sendAll() }
                        works.withLockedValue { works in
                            for (statement, rows) in found {
                                let most = works[statement]?["\(plans) \(analysed)"] ?? 0
                                works[statement, default: [:]]["\(plans) \(analysed)"] = max(most, rows)
                            }
                        }
                    }
                }
            }
            try await Self.expectMaps(database, of: scene.taxon)
        }
        let all = works.withLockedValue { $0 }
        #expect(all.count > 100, "the server reports the statements of requests")
        for (statement, rows) in all {
            let (least, most) = (rows.values.min() ?? 0, rows.values.max() ?? 0)
            #expect(most <= Self.factor * least + Self.few, "\(rows)\n\(statement)")
        }
    }

    /// A hundred maps of all records, on one connection and with the plans that PostgreSQL chooses.
    private static func expectMaps(_ database: TestDatabase, of taxon: String) async throws {
        var limits = ServedRoutes.wideLimits
        limits.maps = 1
        try await ServedRoutes.serve(database, limits: limits) { served in
            for number in 0..<100 {
                let answer = try await Caller.anonymous(served).send(.get, "/v1/taxa/\(taxon)/map?zoom=8")
                try #require(answer.status == .ok, "the map number \(number)")
            }
        }
    }

    private static func fill(_ database: TestDatabase) async throws -> CrowdedScene {
        let scene = NIOLockedValueBox<CrowdedScene?>(nil)
        try await ServedRoutes.serve(database) { served in
            let filled = try await CrowdedScene(
                served, with: Caller.sighting(more: #","notes":"singing""#), among: 500, taxa: 0)
            try await filled.addRows(sightings)
            scene.withLockedValue { $0 = filled }
        }
        return try #require(scene.withLockedValue { $0 })
    }
}
