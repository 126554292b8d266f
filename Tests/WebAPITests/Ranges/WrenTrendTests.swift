import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import TestSupport
import Testing

@testable import Imports
@testable import Service

struct WrenTrendTests {
    /// The figures of numpy, scipy and `docs/range-metrics.md` for the same file.
    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `the southern margin of the wrens moves, and effort cannot be separated`() async throws {
        try await ServedRoutes.run { served in
            let file = TestData.url("bbs_pacific_wren/occurrence.csv").path(percentEncoded: false)
            var request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle("Wrens"))
            (request.licence, request.republish) = (.by, .yes)
            let names = TaxonNames(try await LoggedTaxa(served.cases.ground.pool).entries())
            let summary = try await OccurrenceImport(
                log: served.cases.imports, names: names, places: served.cases.ground.places.index
            ).run(request)
            #expect(summary.accepted == 5480)
            try await served.followToHead()
            let stranger = Caller.anonymous(served)
            let wren = try #require(try await stranger.send(.get, "/v1/taxa?q=Pacific%20Wren").text("items.0.id"))
            let path = "/v1/taxa/\(wren)/trend?end=south&cellKm=50&maxUncertaintyMetres=25000"
            let trend = try await stranger.send(.get, path)
            #expect(try trend["series"]?.items.count == 56 && trend["n"] == .integer(55))
            #expect(try trend["series.0.value"]?.number == 44.73032 && trend["series.55.value"]?.number == 38.788201)
            #expect(try trend["series.1.from"] == .integer(1969) && trend["series.1.reason"] == .string("fewCells"))
            let figures = [
                "slope.perDecade": -0.3895, "slope.low": -0.5324, "slope.high": -0.2702, "slopeKm.perDecade": -43.2397,
                "slopeKm.low": -59.0963, "slopeKm.high": -29.9922, "p": 6.59e-07, "tau": -0.462,
                "autocorrelation.lag1": 0.49,
            ]
            for (member, value) in figures { #expect(try trend[member]?.number == value, "\(member)") }
            #expect(try trend["autocorrelation.warning"] == .boolean(true) && trend["effort.visits"] == .integer(0))
            #expect(try trend.text("conclusion") == "not-computable")
            #expect(try trend.text("sentence")?.contains("presence-only") == true)

            // Its southern end is the border with California.
            let region = try await stranger.send(.get, path + "&region=pacific-northwest")
            #expect(try region.text("reason") == "truncated" && region["slope"] == .null)
            #expect(try region.text("conclusion") == "no-trend")
        }
    }
}
