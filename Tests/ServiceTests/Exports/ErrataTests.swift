import Domain
import Foundation
import ReadModels
import Testing

@testable import Exchange
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
                try await Self.compare(bulk, BulkQuery(filter: filter), first, second)
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

    @Test func `those of an archive have its extensions, and only records that it has renumber others`() async throws {
        try await BulkFixture.run { bulk in
            let (names, brown) = (try await bulk.logTaxa(), "brown bird")
            try await bulk.importRows(
                [Self.header, Self.row("a"), Self.row("b"), Self.row("c", brown), Self.row("e", "Troglodytes sp.")],
                into: "One", names: names)
            let birder = try await bulk.cases.birder { $0.licence = .by }
            _ = try await bulk.cases.sightings.submit(try UseCaseFixture.wren(), by: birder, key: UUID())
            let first = try await bulk.moment()
            // One record without a taxon comes, one gets a taxon, one gets another one.
            try await bulk.importRows(
                [Self.header, Self.row("a", brown), Self.row("b"), Self.row("c")], into: "Two", names: names)
            try await bulk.importRows(
                [Self.header, Self.row("a"), Self.row("b"), Self.row("c"), Self.row("e")], into: "One", names: names
            ) { ($0.replace, $0.isConfirmed) = (true, true) }
            let second = try await bulk.moment()
            try await Self.compare(bulk, BulkQuery(), first, second)
            try await Self.compare(bulk, BulkQuery(), second, try await bulk.moment())
            let found = try await Self.errata(bulk, BulkQuery(), as: .dwca, first, second, limit: 100)
            let identified = found.first { $0.occurrenceID == "e" }
            #expect(identified?.extensions == [.identifications] && identified?.columns.isEmpty == false)
            #expect(found.first { $0.occurrenceID == "b" }?.columns == [.occurrenceID])
            // In a table, the one without a taxon counts.
            #expect(!found.contains { $0.occurrenceID == "a" })
            let inTable = try await Self.errata(bulk, BulkQuery(), first, second, limit: 100)
            #expect(inTable.first { $0.occurrenceID == "a" }?.columns == [.occurrenceID])
        }
    }

    @Test func `an original id that is the public id of a new record is lost, whatever its case is`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("y")], into: "Later")
            let dataset = try #require(try await bulk.records().first?.dataset?.id)
            let urn = BulkRecord.urn(SightingID(bulk.log.log.signer.occurrence("x", in: dataset)))
            let mixed = "Urn:uuid:" + urn.dropFirst(9)
            try await bulk.importRows(
                [Self.header, Self.row(urn), Self.row(urn.uppercased()), Self.row(mixed)], into: "Copies")
            let ids = try await bulk.occurrences().map { $0[.occurrenceID] }
            #expect(ids.contains(urn) && ids.contains(urn.uppercased()) && !ids.contains(mixed))
            let first = try await bulk.moment()
            try await bulk.importRows([Self.header, Self.row("x")], into: "Later")
            let second = try await bulk.moment()
            try await Self.compare(bulk, BulkQuery(), first, second)
            let found = try await Self.errata(bulk, BulkQuery(), first, second, limit: 100)
            let lost = found.filter { $0.change == .changed && $0.columns == [.occurrenceID] }.map(\.occurrenceID)
            #expect(Set(lost) == [urn, urn.uppercased()])
        }
    }

    @Test func `a moment has no errata against itself`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("w1")])
            let moment = try await bulk.moment()
            #expect(try await Self.errata(bulk, BulkQuery(), moment, moment, limit: 10).isEmpty)
        }
    }

    @Test func `of a photo that was rendered again, only the hash differs`() throws {
        var old = OutgoingRecord(occurrence: OutgoingOccurrence())
        old.media = [OutgoingMedia(identifier: "photo")]
        old.hashes = [OutgoingFileHash(identifier: "photo", sha256: "0c5e")]
        var new = old
        new.hashes = [OutgoingFileHash(identifier: "photo", sha256: "5e0c")]
        let erratum = try #require(Erratum(SightingID(UUID()), from: old, to: new, nil))
        #expect(erratum.columnNames == ["audiovisual.txt"] && erratum.reason == .photos)
    }

    private struct Difference: Equatable {
        let change: Erratum.Change
        let columns: [String]
        let occurrenceID: String?

        init(_ erratum: Erratum) {
            (change, columns, occurrenceID) = (erratum.change, erratum.columnNames, erratum.occurrenceID)
        }

        init?(_ old: OutgoingRecord?, _ new: OutgoingRecord?) {
            guard old != new else { return nil }
            change = old == nil ? .added : new == nil ? .removed : .changed
            occurrenceID = (old ?? new)?.occurrence[.occurrenceID]
            guard let old, let new else {
                columns = []
                return
            }
            let names = OccurrenceColumn.allCases.filter { old.occurrence[$0] != new.occurrence[$0] }.map(\.name)
            let files = [
                (OutgoingMedia.table.file, old.media != new.media),
                (OutgoingIdentification.table.file, old.identifications != new.identifications),
                (OutgoingMeasurement.table.file, old.measurements != new.measurements),
                (OutgoingFileHash.table.file, old.hashes != new.hashes),
            ]
            columns = names + files.filter(\.1).map(\.0)
        }
    }

    /// Compares errata with both answers, in a table and in an archive, on pages of any size.
    private static func compare(
        _ bulk: BulkFixture, _ query: BulkQuery, _ first: PublicMoment, _ second: PublicMoment
    ) async throws {
        for format in [ExportFormat.csv, .dwca] {
            let expected = try await difference(bulk, query, as: format, first, second)
            for limit in [1, 2, 5, 100] {
                let found = try await errata(bulk, query, as: format, first, second, limit: limit)
                #expect(found.count == expected.count, "\(format) \(limit): \(found.map(\.occurrenceID))")
                #expect(Dictionary(grouping: found, by: \.id).allSatisfy { $0.value.count == 1 })
                for erratum in found { #expect(expected[erratum.id] == Difference(erratum), "\(erratum)") }
            }
        }
    }

    /// Both answers under the restrictions of the second moment, compared by hand.
    private static func difference(
        _ bulk: BulkFixture, _ query: BulkQuery, as format: ExportFormat, _ first: PublicMoment,
        _ second: PublicMoment
    ) async throws -> [SightingID: Difference] {
        func answer(_ moment: PublicMoment) async throws -> [SightingID: OutgoingRecord] {
            var found: [SightingID: OutgoingRecord] = [:]
            try await bulk.reader().eachBatch(query, asOf: moment, as: format) { records in
                for record in records {
                    let outgoing = record.outgoing(as: format, baseURL: BulkFixture.address)
                    if format == .dwca, outgoing.occurrence[.scientificName] == nil { continue }
                    found[record.record.row.id] = outgoing
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
        _ bulk: BulkFixture, _ query: BulkQuery, as format: ExportFormat = .csv, _ first: PublicMoment,
        _ second: PublicMoment, limit: Int
    ) async throws -> [Erratum] {
        let question = ErrataReader.Question(
            query, as: format, baseURL: BulkFixture.address, from: earlier(first, second), to: second)
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
