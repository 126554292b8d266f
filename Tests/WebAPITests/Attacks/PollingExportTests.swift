import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOConcurrencyHelpers
import NIOCore
import ReadModels
import TestSupport
import Testing

@testable import Service
@testable import Web

/// A client polls lists, streams and exports over midnight and over a month's end.
struct PollingExportTests {
    /// Ten minutes after its end, a day or a month counts as over.
    private static let seconds = [-60, 0, 599, 600, 3_600]

    @Test(.hangs) func `lists, streams and exports change when a day or a month counts as over, and at no other time`()
        async throws
    {
        let month = PastMonth()
        let settings = TestExports.settings()
        let taxon = NIOLockedValueBox("")
        try await withTestDatabase(models: ReadModel.all) { database in
            try await ServedRoutes.serve(database, exports: settings) { served in
                let owl = try await Self.submit(served)
                taxon.withLockedValue { $0 = owl }
            }
            try await month.move(database)
            try await ServedRoutes.serve(database, exports: settings) { served in
                let exports =
                    try await served.exports([.csv, .geojson], asOf: month.day, at: month.dayIsOver)
                    + served.exports([.csv], asOf: month.middle.adding(days: -1), at: month.dayIsOver)
                try await Self.expectChanges(served, month, taxon.withLockedValue(\.self), exports)
            }
        }
    }

    /// Submits and approves an open sighting and two that appear with the month's end.
    /// - Returns: the taxon of one of them, which has a public place.
    private static func submit(_ served: ServedRoutes) async throws -> String {
        let birder = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let bodies = [
            Caller.sighting(), Caller.sighting(more: #","geoprivacy":"private""#), Caller.sighting("Spotted Owl"),
        ]
        var taxon = ""
        for body in bodies {
            let sent = try await birder.submit(body)
            taxon = try #require(try sent.text("taxon.id"))
            try await served.decide(try #require(try sent.text("id")), by: moderator)
        }
        try await served.followToHead()
        return taxon
    }

    private static func expectChanges(
        _ served: ServedRoutes, _ month: PastMonth, _ taxon: String, _ exports: [String]
    ) async throws {
        // Everything is recorded long before the day that ends at midnight.
        let day = month.day.adding(days: 2)
        let ends = [Instant(startOf: day.adding(days: 1)), Instant(startOf: month.lastDay.adding(days: 1))]
        var expected: [String: [Instant]] = [:]
        let (dayIsOver, monthIsOver) = (ends[0].adding(seconds: 600), ends[1].adding(seconds: 600))
        for path in PublicAnswer.lists(taxon: taxon) { expected[path] = [monthIsOver] }
        for path in PublicAnswer.lists(taxon: taxon, "asOf=\(day)") { expected[path] = [dayIsOver] }
        for path in PublicAnswer.lists(taxon: taxon, "asOf=\(month.lastDay)") { expected[path] = [monthIsOver] }
        for path in PublicAnswer.figures(taxon: taxon) where path.hasPrefix("/v1/taxa/") {
            expected[path] = [monthIsOver]
        }
        for path in PublicAnswer.figures(taxon: taxon, "asOf=\(day)") { expected[path] = [dayIsOver] }
        for path in PublicAnswer.figures(taxon: taxon, "asOf=\(month.lastDay)") { expected[path] = [monthIsOver] }
        for export in exports {
            for path in PublicAnswer.parts(of: export) { expected[path] = [] }
            let errata = "/v1/exports/\(export)/errata?asOf="
            (expected[errata + "\(month.day)"], expected[errata + "\(day)"]) = ([], [dayIsOver])
            expected[errata + "\(month.lastDay)"] = [monthIsOver]
        }
        try #require(day < month.lastDay)

        var (last, changes): ([String: PublicAnswer], [String: [Instant]]) = ([:], [:])
        for end in ends {
            for second in seconds {
                let now = end.adding(seconds: second)
                try await RestrictedCourse.look(served, at: now)
                for path in expected.keys.sorted() {
                    let answer = try await PublicAnswer.read(path, served, at: now)
                    if let former = last[path], former != answer { changes[path, default: []].append(now) }
                    last[path] = answer
                }
            }
        }
        for (path, moments) in expected {
            #expect(changes[path, default: []] == moments, "\(path)")
            #expect(last[path]?.status == 200, "\(path)")
        }
        // The guarded ones have appeared where the whole month is over, and nowhere else.
        let owl = "Strix occidentalis"
        for query in ["", "?asOf=\(month.lastDay)"] {
            #expect(last["/v1/sightings\(query) csv"]?.body.contains(owl) == true, "\(query)")
        }
        #expect(last["/v1/sightings?asOf=\(day) csv"]?.body.contains(owl) == false)
    }
}
