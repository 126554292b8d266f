import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web
@testable import WebAPI

/// The effort behind a trend, of visits that imports and birders name.
struct TrendEffortTests {
    @Test func `a shift that complete visits of all periods have remains`() async throws {
        try await ServedRoutes.run { served in
            try await served.importVisits(in: 2011...2018)
            let scene = try await RangeScene(served)
            try await served.followToHead()
            let trend = try await scene.trend("end=south&metric=extreme&region=pacific-northwest")
            #expect(try trend["n"] == .integer(8) && trend["slope.perDecade"]?.number == -0.05)
            #expect(try trend["effort.visits"] == .integer(4 * 30 + 4 * 31) && trend["effort.periods"] == .integer(8))
            #expect(try trend["effort.wellSampled.cells"] == .integer(1))
            #expect(try trend["effort.rarefaction.count"] == .integer(30))
            #expect(try trend["effort.poorPeriods"] == .array([]))
            for corrected in ["wellSampled", "rarefaction"] {
                #expect(try trend["effort.\(corrected).slope"] == trend["slope"], "\(corrected)")
                #expect(try trend["effort.\(corrected).series"]?.items.count == 8 && trend["reason"] == .null)
            }
            let table = try #require(try trend["effort.table"]?.items)
            #expect(table.count == 8 && table.allSatisfy { $0["listLength"]?.number.map { $0 > 1.9 } == true })
            #expect(table.first?["visits"] == .integer(31) && table.first?["detections"] == .integer(30))
            #expect(table.last?["visits"] == .integer(30) && table.last?["detections"] == .integer(29))
            #expect(try trend.text("conclusion") == "remains")
            #expect(try await scene.trend("end=south&metric=extreme&region=pacific-northwest").body == trend.body)

            // Weeks have values, and no trend.
            let poor = try await scene.trend(
                "end=south&metric=extreme&from=2011-01-01&to=2011-12-31&period=week-of-year")
            #expect(try poor["effort.periods"] == .integer(1) && poor["effort.poorPeriods"] == .array([]))
            #expect(try poor["effort.rarefaction.reason"] == .string("weekOfYear"))
        }
    }

    /// A member of a sighting: a complete visit of its own.
    private static func visit() -> String {
        #","visit":{"id":"\#(UUID().uuidString.lowercased())","startedAt":"2026-05-01T07:00:00-07:00","#
            + #""minutes":60,"observers":2,"complete":true}"#
    }

    @Test func `hidden records change neither the seed nor any byte`() async throws {
        try await ServedRoutes.run { served in
            try await served.hideGreatTits()
            let scene = try await RangeScene(served)
            let visit = Self.visit()
            try await scene.moveSouth()
            try await scene.add(at: (47.6, -122.4), more: visit)
            try await scene.add("Song Sparrow", at: (47.6, -122.4), more: visit)
            try await served.followToHead()
            let questions = [
                "end=south&metric=extreme", "end=south&metric=extreme&region=pacific-northwest&period=5-year",
                "end=south&metric=extreme&from=2026-05-01&to=2026-05-01&bbox=-123,47,-122,48", "end=north&cellKm=5",
            ]
            func bodies(daysAhead: Int = 0) async throws -> [ByteBuffer] {
                var bodies: [ByteBuffer] = []
                for question in questions { bodies.append(try await scene.trend(question, daysAhead: daysAhead).body) }
                return bodies
            }
            let before = try await bodies()
            let open = try await scene.trend(questions[0])
            #expect(try open["effort.visits"] == .integer(1))
            #expect(
                try open["effort.table.0.listLength"]?.number == 2 && open["effort.table.0.detections"]?.integer == 1)

            try await scene.add(at: (20, -122.4), more: visit + #","geoprivacy":"private""#)
            // Farther inside than the open ones: as a record, it counts with its cell.
            try await scene.add(at: (47.7, -122.4), more: visit + #","geoprivacy":"obscured""#)
            try await scene.add("Great Tit", at: (47.6, -122.4), more: visit)
            try await scene.add("Spotted Owl", at: (47.6, -122.4), more: visit)
            // A visit with nothing else does not exist.
            try await scene.add("Spotted Owl", at: (47.6, -122.4), more: Self.visit())
            try await served.followToHead()
            #expect(try await bodies() == before)
            #expect(try await bodies(daysAhead: 40) == before)
        }
    }
}

extension ServedRoutes {
    /// Imports complete visits of one place that lies farther south each year: 30 in even years, 31 in odd ones. The
    /// first one of a year finds no wren.
    fileprivate func importVisits(in years: ClosedRange<Int>) async throws {
        var rows = [
            ["occurrenceID", "scientificName", "eventDate", "decimalLatitude", "decimalLongitude", "eventID"]
        ]
        for year in years {
            let latitude = "\((45.56 - 0.005 * Double(year - years.lowerBound)).rounded(decimals: 3))"
            for visit in 0..<(30 + year % 2) {
                for name in ["Melospiza melodia", "Troglodytes pacificus"].prefix(visit == 0 ? 1 : 2) {
                    let event = "\(year)-\(visit)"
                    rows.append(["\(event)-\(name)", name, "\(year)-05-04", latitude, "-122.6", event])
                }
            }
        }
        try await withTable(rows) { file in
            var request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle("Points"))
            (request.licence, request.republish) = (.by, .yes)
            request.visits = try VisitNaming(parsing: "eventID", isComplete: true)
            let names = TaxonNames(try await LoggedTaxa(cases.ground.pool).entries())
            let summary = try await OccurrenceImport(
                log: cases.imports, names: names, places: cases.ground.places.index
            ).run(request)
            #expect(summary.accepted == rows.count - 1 && summary.rejectedTotal == 0)
        }
    }
}
