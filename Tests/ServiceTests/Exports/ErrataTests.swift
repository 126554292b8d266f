import Domain
import Exchange
import Foundation
import ReadModels
import Testing

@testable import Imports
@testable import Service

/// Errata are what a comparison of both answers, record by record, finds.
struct ErrataTests {
    private static let header = "occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude,locality"

    private static func row(_ id: String, _ name: String = "Troglodytes hiemalis", at place: String = "a pond")
        -> String
    {
        "\(id),\(name),2019-05-04,45.5,-122.6,\(place)"
    }

    @Test func `they equal the difference of both answers, on pages of any size`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header] + (0..<9).map { Self.row("w\($0)") }, into: "One")
            let birder = try await bulk.cases.birder { $0.licence = .by }
            _ = try await bulk.cases.sightings.submit(try UseCaseFixture.wren(), by: birder, key: UUID())
            let first = try await bulk.moment()
            // Corrected, withdrawn and added rows, some with the original ids of another dataset.
            try await bulk.importRows(
                [Self.header] + (0..<8).map { Self.row("w\($0)", at: $0 < 3 ? "a brook" : "a pond") }
                    + [Self.row("w20")], into: "One"
            ) { ($0.replace, $0.isConfirmed) = (true, true) }
            try await bulk.importRows([Self.header, Self.row("w4"), Self.row("w30"), Self.row("w1")], into: "Two")
            let second = try await bulk.moment()
            for filter in [
                RecordFilter(), RecordFilter(statuses: [.acceptedBySource, .pending]), RecordFilter(captive: true),
            ] {
                let query = BulkQuery(filter: filter)
                let expected = try await Self.difference(bulk, query, first, second)
                for limit in [1, 2, 5, 100] {
                    let found = try await Self.errata(bulk, query, first, second, limit: limit)
                    #expect(found.count == expected.count, "\(limit): \(found.map(\.occurrenceID))")
                    #expect(Dictionary(grouping: found, by: \.id).allSatisfy { $0.value.count == 1 })
                    for erratum in found { #expect(expected[erratum.id] == Difference(erratum), "\(erratum)") }
                }
            }
            let all = try await Self.errata(bulk, BulkQuery(), first, second, limit: 100)
            #expect(all.count > 6)
            #expect(all.first { $0.occurrenceID == "w20" }?.reason == .imported)
            #expect(all.first { $0.occurrenceID == "w8" }?.change == .removed)
            #expect(all.first { $0.occurrenceID == "w8" }?.reason == .withdrawn)
            #expect(all.first { $0.occurrenceID == "w2" }?.columns == [.locality])
            #expect(all.first { $0.occurrenceID == "w2" }?.reason == .corrected)
            #expect(all.first { $0.occurrenceID == "w4" }?.columns == [.occurrenceID])
        }
    }

    @Test func `a moment has no errata against itself`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("w1")])
            let moment = try await bulk.moment()
            #expect(try await Self.errata(bulk, BulkQuery(), moment, moment, limit: 10).isEmpty)
        }
    }

    private struct Difference: Equatable {
        let change: Erratum.Change
        let columns: [OccurrenceColumn]
        let occurrenceID: String?

        init(_ erratum: Erratum) {
            (change, columns, occurrenceID) = (erratum.change, erratum.columns, erratum.occurrenceID)
        }

        init?(_ old: OutgoingOccurrence?, _ new: OutgoingOccurrence?) {
            guard old != new else { return nil }
            change = old == nil ? .added : new == nil ? .removed : .changed
            columns = old == nil || new == nil ? [] : OccurrenceColumn.allCases.filter { old?[$0] != new?[$0] }
            occurrenceID = (old ?? new)?[.occurrenceID]
        }
    }

    /// Both answers under the restrictions of the second moment, compared by hand.
    private static func difference(
        _ bulk: BulkFixture, _ query: BulkQuery, _ first: PublicMoment, _ second: PublicMoment
    ) async throws -> [SightingID: Difference] {
        func answer(_ moment: PublicMoment) async throws -> [SightingID: OutgoingOccurrence] {
            var found: [SightingID: OutgoingOccurrence] = [:]
            try await bulk.reader().eachBatch(query, asOf: moment) { records in
                for record in records {
                    found[record.record.row.id] = record.occurrence(baseURL: BulkFixture.address)
                }
            }
            return found
        }
        let old = try await answer(earlier(first, second))
        let new = try await answer(second)
        var differences: [SightingID: Difference] = [:]
        for id in Set(old.keys).union(new.keys) { differences[id] = Difference(old[id], new[id]) }
        return differences
    }

    private static func earlier(_ first: PublicMoment, _ second: PublicMoment) -> PublicMoment {
        PublicMoment(
            known: first.known, shown: second.shown, guarded: first.guarded, settled: second.settled, of: first.day)
    }

    private static func errata(
        _ bulk: BulkFixture, _ query: BulkQuery, _ first: PublicMoment, _ second: PublicMoment, limit: Int
    ) async throws -> [Erratum] {
        let question = ErrataReader.Question(
            query, as: .csv, baseURL: BulkFixture.address, from: earlier(first, second), to: second)
        let reader = ErrataReader(bulk.log.pool, signer: bulk.log.log.signer)
        var found: [Erratum] = []
        var page = ErrataReader.Page(limit: limit)
        repeat {
            let slice = try await reader.errata(question, page, within: .seconds(60))
            found += slice.items
            page.after = slice.next
        } while page.after != nil
        return found
    }
}
