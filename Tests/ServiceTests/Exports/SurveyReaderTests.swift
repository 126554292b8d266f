import Domain
import Foundation
import ReadModels
import Testing

@testable import Imports
@testable import Service

/// The visits of surveys, and the records that they have.
struct SurveyReaderTests {
    private static let header = "occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude,eventID"

    private static func row(_ id: String, on visit: String, date: String = "2019-05-04", at latitude: Double = 45.5)
        -> String
    {
        "\(id),Troglodytes hiemalis,\(date),\(latitude),-122.6,\(visit)"
    }

    private struct Survey: Hashable {
        var visits: [PublicVisit] = []
        /// The visit and the original id of each.
        var records: [[String]] = []
    }

    private static func survey(
        _ bulk: BulkFixture, _ query: BulkQuery = BulkQuery(), _ sizes: BulkReader.Sizes = BulkReader.Sizes()
    ) async throws -> Survey {
        var survey = Survey()
        try await bulk.reader(sizes).eachVisit(of: query, asOf: try await bulk.moment()) { part in
            switch part {
            case .visits(let visits): survey.visits += visits
            case .records(let records):
                let known = Set(survey.visits.map(\.id))
                #expect(records.allSatisfy { known.contains($0.visit) })
                survey.records += records.map { [$0.visit.description, $0.record.occurrenceID] }
            }
        }
        return survey
    }

    private static func visits(isComplete: Bool = true) throws -> VisitNaming {
        try VisitNaming(parsing: "eventID", isComplete: isComplete)
    }

    @Test func `the visits are the same whatever the sizes of batches and windows are`() async throws {
        try await BulkFixture.run { bulk in
            let rows = (0..<30).map { Self.row("w\($0)", on: "E\($0 % 7)", at: 45 + Double($0 % 3)) }
            // A list has the taxa that are known to be species.
            let names = try await bulk.logTaxa()
            try await bulk.importRows([Self.header] + rows, names: names) { $0.visits = try? Self.visits() }
            try await bulk.importRows([Self.header, Self.row("alone", on: "")], names: names) {
                $0.visits = try? Self.visits()
            }
            let whole = try await Self.survey(bulk)
            #expect(whole.visits.count == 7 && whole.records.count == 30)
            #expect(whole.visits.map(\.id) == whole.visits.map(\.id).sorted())
            #expect(whole.visits.allSatisfy { $0.isComplete && $0.listLength == 1 && $0.dataset != nil })
            #expect(whole.records.map { $0[0] } == whole.records.map { $0[0] }.sorted())
            for (batch, window) in [(1, 1), (4, 7), (7, 4), (33, 33)] {
                var sizes = BulkReader.Sizes()
                (sizes.batch, sizes.window) = (batch, window)
                #expect(try await Self.survey(bulk, BulkQuery(), sizes) == whole, "\(batch), \(window)")
            }
        }
    }

    @Test func `a visit that is chosen has all its records, and is complete only with all of them`() async throws {
        try await BulkFixture.run { bulk in
            let rows = [
                Self.row("a", on: "E1"), Self.row("b", on: "E1"), Self.row("c", on: "E1", date: "2019-06-01"),
                Self.row("d", on: "E2", date: "2019-06-01"),
            ]
            try await bulk.importRows([Self.header] + rows) { $0.visits = try? Self.visits() }
            try await bulk.importRows([Self.header, Self.row("e", on: "E1")], into: "Partial") {
                $0.visits = try? Self.visits(isComplete: false)
            }
            try await bulk.importRows([Self.header, Self.row("f", on: "E1")], into: "Kept back") {
                ($0.visits, $0.republish) = (try? Self.visits(), .no)
            }
            let may = BulkQuery(
                filter: RecordFilter(from: try CivilDate("2019-05-01"), to: try CivilDate("2019-05-31")))
            let chosen = try await Self.survey(bulk, may)
            #expect(chosen.visits.count == 2 && Set(chosen.records.map { $0[1] }) == ["a", "b", "c", "e"])
            #expect(chosen.visits.filter(\.isComplete).map(\.to) == [try CivilDate("2019-06-01")])
            // The third record alone is less than half of the visit.
            let june = BulkQuery(
                filter: RecordFilter(from: try CivilDate("2019-06-01"), to: try CivilDate("2019-06-30")))
            #expect(try await Self.survey(bulk, june).records.map { $0[1] } == ["d"])
        }
    }
}
