import Domain
import Exchange
import Foundation
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import Testing

@testable import Imports
@testable import Service

struct BulkReaderTests {
    private static let header = "occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude,locality"

    private static func row(
        _ id: String, _ name: String = "Troglodytes hiemalis", date: String = "2019-05-04", at place: String = "a pond"
    ) -> String {
        "\(id),\(name),\(date),45.5,-122.6,\(place)"
    }

    @Test func `the bytes are the same whatever the sizes of batches and windows are`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header] + (0..<23).map { Self.row("w\($0)") })
            try await bulk.importRows([Self.header] + (20..<30).map { Self.row("w\($0)") }, into: "Another")
            for format in ExportFormat.allCases where format.encoder != nil {
                let whole = try await bulk.text(as: format)
                for (batch, window) in [(1, 1), (1, 100), (4, 7), (7, 4), (33, 33), (32, 34)] {
                    var sizes = BulkReader.Sizes()
                    (sizes.batch, sizes.window) = (batch, window)
                    #expect(try await bulk.text(as: format, sizes) == whole, "\(format) \(batch) \(window)")
                }
            }
            let records = try await bulk.records()
            #expect(records.count == 33)
            #expect(records.map(\.record.row.id) == records.map(\.record.row.id).sorted())
        }
    }

    @Test func `a restriction applies to the later batches of an answer that is being sent`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header] + (0..<4).map { Self.row("w\($0)") })
            let moment = try await bulk.moment()
            let last = try #require(try await bulk.log.streams().values.map { SightingID($0) }.max())
            let head = NIOLockedValueBox(moment.shown)
            var sizes = BulkReader.Sizes()
            sizes.batch = 1
            let reader = BulkReader(bulk.log.pool, signer: bulk.log.log.signer, sizes: sizes) {
                head.withLockedValue { $0 }
            }
            var rows: [Bool] = []
            try await reader.eachBatch(BulkQuery(), asOf: moment) { records in
                if rows.isEmpty {
                    try await bulk.hide(last.uuid, [.notes])
                    let shown = try await bulk.moment().shown
                    head.withLockedValue { $0 = shown }
                }
                rows += records.map { $0.row != nil }
            }
            #expect(rows == [true, true, true, false])
        }
    }

    @Test func `a batch that has waited long is read again, so that restrictions since apply to it`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header] + (0..<4).map { Self.row("w\($0)") })
            let moment = try await bulk.moment()
            let sorted = try await bulk.log.streams().values.map { SightingID($0) }.sorted()
            let head = NIOLockedValueBox(moment.shown)
            var sizes = BulkReader.Sizes()
            (sizes.batch, sizes.age) = (1, .zero)
            let reader = BulkReader(bulk.log.pool, signer: bulk.log.log.signer, sizes: sizes) {
                head.withLockedValue { $0 }
            }
            var (ids, rows): ([SightingID], [Bool]) = ([], [])
            try await reader.eachBatch(BulkQuery(), asOf: moment) { records in
                if rows.isEmpty {
                    // The next batch is being made, and the rows of the one after it are being read.
                    try await bulk.hide(sorted[1].uuid, [.notes])
                    try await bulk.withdraw(sorted[2].uuid)
                    let shown = try await bulk.moment().shown
                    head.withLockedValue { $0 = shown }
                }
                ids += records.map(\.record.row.id)
                rows += records.map { $0.row != nil }
            }
            #expect(ids == [sorted[0], sorted[1], sorted[3]])
            #expect(rows == [true, false, true])
        }
    }

    @Test func `records without a licence and those that may not be passed on are left out and counted`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("a")], into: "Passed on")
            try await bulk.importRows([Self.header, Self.row("b"), Self.row("c")], into: "Kept") { $0.republish = .no }
            try await bulk.importRows([Self.header, Self.row("d")], into: "No licence") { $0.licence = nil }
            try await bulk.importRows([Self.header, Self.row("e")], into: "Neither") {
                ($0.licence, $0.republish) = (nil, nil)
            }
            let birder = try await bulk.cases.birder { $0.licence = .by }
            _ = try await bulk.cases.sightings.submit(try UseCaseFixture.wren(), by: birder, key: UUID())
            #expect(try await bulk.occurrences().map { $0[.occurrenceID] } == ["a"])
            let moment = try await bulk.moment()
            let count = try await bulk.reader().count(BulkQuery(), asOf: moment)
            #expect(count.records == 1 && count.leftOut == LeftOut(noLicence: 2, notRepublished: 2))
            let named = try #require(
                try await bulk.cases.log.pool.query(
                    "select stream from vault.content where field = 'title' and value = 'Kept'"
                ).first?.decode("stream", as: UUID.self))
            let query = BulkQuery(named: [DatasetID(named)])
            #expect(Set(try await bulk.occurrences(query).map { $0[.occurrenceID] }) == ["a", "b", "c"])
            #expect(try await bulk.reader().leftOut(query, asOf: moment) == LeftOut(noLicence: 2))
            // What is not reviewed comes only where it is asked for.
            let pending = BulkQuery(filter: RecordFilter(statuses: [.pending]))
            #expect(try await bulk.occurrences(pending).count == 1)
        }
    }

    @Test func `all records of a map are those that are passed on`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("a")], into: "Passed on")
            try await bulk.importRows([Self.header, Self.row("b")], into: "Kept") { $0.republish = .no }
            try await bulk.importRows([Self.header, Self.row("c")], into: "No licence") { $0.licence = nil }
            let moment = try await bulk.moment()
            let taxon = try #require(ImportFixture.smallNames.match("Troglodytes hiemalis"))
            let view = MapView(grid: MapGrid(zoom: 20))
            #expect(try await bulk.cases.records.map(of: taxon, view, asOf: moment).answer.records == 3)
            var points: [MapAnswer.Point] = []
            try await bulk.cases.records.eachPoint(of: taxon, view, asOf: moment) { found, _ in points += found }
            #expect(points.map(\.id) == [SightingID(try #require(try await bulk.log.streams()["a"]))])
        }
    }

    @Test func `a restriction applies to the later batches of a map's records that are being sent`() async throws {
        try await BulkFixture.run { bulk in
            // Two batches.
            try await bulk.importRows([Self.header] + (0..<502).map { Self.row("w\($0)") })
            let moment = try await bulk.moment()
            let taxon = try #require(ImportFixture.smallNames.match("Troglodytes hiemalis"))
            let view = MapView(grid: MapGrid(zoom: 20))
            let head = NIOLockedValueBox(moment.shown)
            let reader = PublicReader(bulk.log.pool, catalogue: bulk.cases.records.catalogue) {
                head.withLockedValue { $0 }
            }
            let imported = Set(try await bulk.log.streams().values.map { SightingID($0) })
            var batches: [Set<SightingID>] = []
            try await reader.eachPoint(of: taxon, view, asOf: moment) { points, _ in
                batches.append(Set(points.map(\.id)))
                guard batches.count == 1 else { return }
                try await bulk.withdraw(try #require(imported.subtracting(batches[0]).first).uuid)
                let shown = try await bulk.moment().shown
                head.withLockedValue { $0 = shown }
            }
            #expect(batches.map(\.count) == [500, 1])
            #expect(batches[0].isDisjoint(with: batches[1]))
        }
    }

    @Test func `an original id is kept only if no other record of the same answer has it`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("w1"), Self.row("w2")], into: "One")
            try await bulk.importRows([Self.header, Self.row("w1", date: "2020-01-01"), Self.row("x")], into: "Two")
            try await bulk.importRows([Self.header, Self.row("w2")], into: "Kept") { $0.republish = .no }
            let records = try await bulk.records()
            let shared = records.filter { $0.row?.occurrenceID == "w1" }
            #expect(shared.count == 2)
            #expect(shared.allSatisfy { $0.occurrenceID == "urn:uuid:\($0.record.row.id)" })
            #expect(Set(records.map(\.occurrenceID)).isSuperset(of: ["w2", "x"]))
            let earlier = BulkQuery(filter: RecordFilter(to: try CivilDate("2019-12-31")))
            #expect(Set(try await bulk.records(earlier).map(\.occurrenceID)) == ["w1", "w2", "x"])
        }
    }

    @Test func `a record that an archive leaves out takes no original id from another one there`() async throws {
        try await BulkFixture.run { bulk in
            let names = try await bulk.logTaxa()
            try await bulk.importRows([Self.header, Self.row("w1"), Self.row("w2")], into: "One", names: names)
            try await bulk.importRows(
                [Self.header, Self.row("w1"), Self.row("w2", "brown bird")], into: "Two", names: names)
            for format in [ExportFormat.csv, .dwca] {
                var kept: [String] = []
                try await bulk.reader().eachBatch(BulkQuery(), asOf: try await bulk.moment(), as: format) { records in
                    kept += records.filter { !$0.lineage.isEmpty }.map(\.occurrenceID)
                }
                #expect(kept.filter { !$0.hasPrefix("urn:uuid:") } == (format == .dwca ? ["w2"] : []), "\(format)")
                #expect(kept.count == 3)
            }
        }
    }

    @Test func `an original id that is another record's public id is not kept`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([Self.header, Self.row("")], into: "Without ids")
            let first = try #require(try await bulk.records().first)
            #expect(first.occurrenceID == "urn:uuid:\(first.record.row.id)")
            let upper = "URN:UUID:" + first.record.row.id.description.uppercased()
            let unknown = "urn:uuid:\(UUID().uuidString.lowercased())"
            try await bulk.importRows(
                [Self.header, Self.row(upper), Self.row(first.occurrenceID), Self.row(unknown)], into: "Copies")
            let ids = try await bulk.records().map(\.occurrenceID)
            #expect(ids.count == 4 && Set(ids).count == 4 && !ids.contains(upper) && ids.contains(unknown))
        }
    }

    @Test func `an id with spaces around it or control characters in it is not kept`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([
                Self.header, Self.row("\" a\""), Self.row("\"b\tb\""), Self.row("\"c\nc\""), Self.row("d d"),
            ])
            let ids = try await bulk.records().map(\.occurrenceID)
            #expect(ids.filter { !$0.hasPrefix("urn:uuid:") } == ["d d"] && Set(ids).count == 4)
        }
    }

    @Test func `odd text is passed on with spaces for control characters, which are counted`() async throws {
        try await BulkFixture.run { bulk in
            let place = "\"a\tb\r\nc \"\"d\"\" \u{85}\u{2028}; , é鳥\""
            try await bulk.importRows([Self.header, Self.row("a", at: place)])
            let occurrence = try #require(try await bulk.occurrences().first)
            #expect(occurrence[.locality] == "a b  c \"d\"   ; , é鳥")
            #expect(occurrence.replacedCharacters == 5)
        }
    }

    @Test func `the row's own columns come under their terms, all others as one object`() async throws {
        try await BulkFixture.run { bulk in
            try await bulk.importRows([
                "occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude,sex,recordedBy,basisOfRecord,"
                    + "habitat,siteID,stateProvince,individualCount,identificationVerificationStatus,confidence",
                "a,Troglodytes hiemalis,2019-05-04,45.5,-122.6,female,A. Wren,PRESERVED_SPECIMEN,"
                    + "salal,\"x\"\"y\",Oregon,3,checked,9",
            ])
            let occurrence = try #require(try await bulk.occurrences().first)
            #expect(occurrence[.sex] == "female" && occurrence[.recordedBy] == "A. Wren")
            #expect(occurrence[.basisOfRecord] == "PreservedSpecimen" && occurrence[.individualCount] == "3")
            #expect(occurrence[.stateProvince] == "US-OR")
            #expect(occurrence[.identificationVerificationStatus] == "accepted-by-source")
            #expect(
                occurrence[.dynamicProperties]
                    == #"{"confidence":"9","habitat":"salal","identificationVerificationStatus":"checked","#
                    + #""siteID":"x\"y","stateProvince":"Oregon"}"#)
            #expect(occurrence[.license] == "http://creativecommons.org/licenses/by/4.0/legalcode")
            #expect(occurrence[.datasetName] == ImportFixture.title && occurrence[.occurrenceID] == "a")
            #expect(occurrence[.dataGeneralizations] == nil && occurrence[.informationWithheld] == nil)
        }
    }

    @Test func `names are those that were known at the moment`() async throws {
        try await BulkFixture.run { bulk in
            let names = try await bulk.logTaxa("Winter Wren")
            try await bulk.importRows([Self.header, Self.row("a")], names: names)
            let before = try await bulk.moment()
            try await bulk.logTaxa("Eastern Wren")
            let after = try await bulk.moment()
            var found: [OutgoingOccurrence] = []
            for moment in [before, after] {
                try await bulk.reader().eachBatch(BulkQuery(), asOf: moment) { records in
                    found += records.map { $0.occurrence(baseURL: nil) }
                }
            }
            #expect(found.map { $0[.vernacularName] } == ["Winter Wren", "Eastern Wren"])
            let occurrence = try #require(found.first)
            #expect(occurrence[.scientificName] == "Troglodytes hiemalis" && occurrence[.taxonRank] == "species")
            #expect(occurrence[.scientificNameAuthorship] == "(Vieillot, 1819)")
            let ranks: [OccurrenceColumn] = [.kingdom, .phylum, .class, .order, .family, .genus]
            #expect(
                ranks.map { occurrence[$0] } == ["Animalia", nil, "Aves", nil, "Troglodytidae", "Troglodytes"])
            #expect(occurrence[.references] == nil)
        }
    }
}
