import EventLog
import Exchange
import Foundation
import Imports
import Postgres
import Service
import TestSupport
import Testing

@testable import Domain

struct OccurrenceRuleTests {
    @Test func `rows that cannot become records are rejected with their reason, beside the file`() async throws {
        try await ImportFixture.run { log in
            let faulty: [(String, (inout WrenRow) -> Void)] = [
                ("absence", { $0.status = "absent" }), ("absence", { $0.count = "0" }),
                ("no-date", { $0.date = "" }), ("invalid-date", { $0.date = "2019-02-30" }),
                ("invalid-date", { $0.date = "2019-05-04/2018-01-01" }),
                ("date-interval", { $0.date = "2018-12-31/2019-01-01" }),
                ("date-out-of-range", { $0.date = "2999-01-01" }), ("date-out-of-range", { $0.date = "1599" }),
                ("no-coordinates", { $0.latitude = "" }), ("invalid-coordinates", { $0.longitude = "181" }),
                ("invalid-coordinates", { ($0.latitude, $0.longitude) = ("0", "0.0") }),
                ("invalid-coordinates", { $0.latitude = "45° N" }), ("invalid-coordinates", { $0.latitude = "0x2F" }),
                ("invalid-coordinates", { $0.longitude = "-inf" }), ("invalid-coordinates", { $0.latitude = "1e400" }),
                ("invalid-coordinates", { $0.latitude = "nan" }), ("invalid-coordinates", { $0.longitude = "- 122" }),
                ("no-coordinates", { $0.latitude = " " }), ("invalid-time", { $0.date = "2019-05-04T24:61" }),
                ("invalid-date", { $0.date = "2019-05-04 02:30 JST" }), ("no-date", { $0.date = "0000-00-00" }),
                ("absence", { $0.count = "none" }), ("absence", { $0.status = "NOT_DETECTED" }),
                ("invalid-count", { $0.count = "0x10" }), ("invalid-count", { $0.count = "many" }),
                ("invalid-count", { $0.count = "1000001" }), ("invalid-count", { $0.count = "-2" }),
            ]
            let rows = faulty.enumerated().map { number, fault in
                var row = WrenRow(id: "r\(number)")
                fault.1(&row)
                return row
            }
            let file = try log.write("faulty.csv", WrenRow.file(rows + [WrenRow()]) + [WrenRow().line + ",long"])
            let summary = try await log.importRows(file)
            var expected = ["ragged-row": 1]
            for (reason, _) in faulty { expected[reason, default: 0] += 1 }
            #expect(summary.rejected == expected)
            #expect(summary.accepted == 1)
            let path = try #require(summary.rejectedRows)
            #expect(path == file + ".refused.csv")
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
            #expect(lines.count == faulty.count + 2)
            for (number, fault) in faulty.enumerated() {
                #expect(lines[number + 1].hasPrefix("\(number + 1),"))
                #expect(lines[number + 1].contains(",\(fault.0),"))
            }
        }
    }

    private static let times = [
        ("2019-05-04T07:30:00-07:00", "2019-05-04T07:30:00-07:00"), ("2019-05-04T07:30", "2019-05-04"),
        ("2019-05-04 07:30:15", "2019-05-04"), ("2019-05", "2019-05"), ("2019", "2019"),
        ("2019-05-04/2019-05-04", "2019-05-04"), ("2019-05-04/06", "2019-05"), ("2019-05-04/06-01", "2019"),
        ("2019-05-04T07:00-07:00/09:00-07:00", "2019-05-04"), ("2019-05/2019-06", "2019"),
        ("2019-05-01/2019-05-31", "2019-05"), ("2019/2019", "2019"),
    ]

    @Test func `a time is as precise as it was told, and no more`() async throws {
        try await ImportFixture.run { log in
            let rows = Self.times.enumerated().map { WrenRow(id: "t\($0)", date: $1.0, count: String($0 + 1)) }
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            let kept = Dictionary(
                try await log.standing().map { ($0.details.count?.value ?? 0, $0.details.observed.value.description) },
                uniquingKeysWith: { first, _ in first })
            for (number, time) in Self.times.enumerated() { #expect(kept[number + 1] == time.1, "\(time.0)") }
        }
    }

    @Test func `Year, month and day stand in for eventDate; eventTime with an offset makes an instant of a day`()
        async throws
    {
        try await ImportFixture.run { log in
            let file = try log.write(
                "a.csv",
                [
                    "occurrenceID,eventDate,eventTime,year,month,day,decimalLatitude,decimalLongitude",
                    "a,,,2017,,,45.5,-122.6", "b,,,2017,6,,45.5,-122.6", "c,,,2017,6,9,45.5,-122.6",
                    "d,2017-06-09,06:30-0700,,,,45.5,-122.6", "e,2017-06-09,06:30,,,,45.5,-122.6",
                    "f,summer 2017,,2017,,,45.5,-122.6",
                ])
            #expect(try await log.importRows(file).accepted == 6)
            let times = try await log.standing().map(\.details.observed.value.description).sorted()
            #expect(times == ["2017", "2017", "2017-06", "2017-06-09", "2017-06-09", "2017-06-09T06:30:00-07:00"])
        }
    }

    @Test func `a row is as sensitive as the most sensitive taxon that any of its names may mean`() async throws {
        try await ImportFixture.run { log in
            var row = WrenRow(name: "Troglodytes sp.")
            row.site = "Pacific Wrens"
            var lines = WrenRow.file([row])
            lines[0].replace(",site", with: ",vernacularName")
            _ = try await log.importRows(try log.write("names.csv", lines))
            let record = try #require(try await log.standing().first)
            #expect(record.identification.qualifier == .sp && record.identification.sensitivity == .four)
        }
    }

    @Test func `a name that fits no taxon keeps its record; sp. and common names are understood`() async throws {
        try await ImportFixture.run { log in
            let names = ["Troglodytes sp.", "Winter Wren", "Nonsensia incognita", ""]
            let rows = names.enumerated().map { WrenRow(id: "n\($0)", name: $1) }
            let summary = try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            #expect(summary.accepted == 4 && summary.withoutTaxon == 2)
            let records = try await log.standing()
            #expect(records.filter { $0.identification.taxon == nil }.count == 2)
            let genus = records.first { $0.identification.taxon == ImportFixture.smallNames.match("Troglodytes") }
            #expect(genus?.identification.qualifier == .sp && genus?.identification.sensitivity == nil)
            let winterWren = ImportFixture.smallNames.match("Troglodytes hiemalis")
            #expect(records.contains { $0.identification.taxon == winterWren })
        }
    }

    @Test func `the record's licence counts, then the dataset's; one that is not ours is none`() async throws {
        try await ImportFixture.run { log in
            let given = ["http://creativecommons.org/publicdomain/zero/1.0/", "", "all rights reserved"]
            let rows = given.enumerated().map { WrenRow(id: "l\($0)", licence: $1) }
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows))) { $0.licence = .byNonCommercial }
            let kept = try await log.standing().map { $0.details.licence?.rawValue ?? "none" }.sorted()
            #expect(kept == ["CC-BY-NC-4.0", "CC0-1.0", "none"])
        }
    }

    @Test func `what people kept or planted is captive`() async throws {
        try await ImportFixture.run { log in
            let rows = [
                WrenRow(id: "a", means: "captive"), WrenRow(id: "b", basis: "LivingSpecimen"),
                WrenRow(id: "c", means: "native"), WrenRow(id: "d"),
            ]
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            #expect(try await log.standing().filter(\.details.captive).count == 2)
        }
    }

    @Test func `an uncertainty that means nothing is none, and columns may be given terms`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write(
                "a.csv",
                [
                    "id,lat,lon,when,coordinateUncertaintyInMeters", "a,45.5,-122.6,2017,0", "b,45.5,-122.6,2017,250",
                    "c,45.5,-122.6,2017,near",
                ])
            let summary = try await log.importRows(file) { request in
                request.columns =
                    (try? ColumnMapping(
                        parsing: "id=occurrenceID,lat=decimalLatitude,lon=decimalLongitude,when=eventDate")) ?? .none
            }
            #expect(summary.accepted == 3 && summary.warnings.isEmpty)
            let kept = try await log.standing().map { $0.details.uncertainty?.value ?? -1 }.sorted()
            #expect(kept == [-1, -1, 250])
        }
    }

    @Test func `a dataset is registered once, with its credits beside the log, and every import is told`() async throws
    {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(WrenRow.many(2)))
            let summary = try await log.importRows(file) { request in
                (request.licence, request.republish) = (.cc0, .yes)
                (request.publisher, request.citation) = (try? CreditLine("P"), try? CreditLine("C"))
            }
            let later = try await log.importRows(file) { $0.republish = .no }
            #expect(later.warnings.contains { $0.hasPrefix("the dataset exists") })
            let events = try await log.reader.stream(summary.dataset.uuid)
            #expect(
                events.map(\.type) == [
                    "DatasetRegistered", "ImportStarted", "ImportFinished", "ImportStarted", "ImportFinished",
                ])
            #expect(events.allSatisfy { $0.actor == nil })
            var state = DatasetState()
            for event in events { state.evolve(try DatasetEvent(type: event.type, payload: Array(event.payload.utf8))) }
            #expect(state.registration == DatasetRegistered(licence: .cc0, republish: .yes))
            #expect(
                state.imports[summary.batch]
                    == .finished(
                        ImportFinished(
                            batch: summary.batch, accepted: 2, known: 0, corrected: 0, withdrawn: 0, rejected: 0)))
            let fields: [String] = try await log.pool
                .query(
                    "select field from vault.content where stream = \(summary.dataset.uuid) order by position, field"
                )
                .rows.map { try $0.decode("field") }
            #expect(fields == ["citation", "publisher", "title", "fileName", "fileName"])
        }
    }

    @Test func `progress rises to the end, and two passes are told`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("a.csv", WrenRow.file(WrenRow.many(2000)))
            let (told, stream) = AsyncStream<ImportProgress>.makeStream()
            let request = OccurrenceImportRequest(file: file, dataset: try DatasetTitle("Progress"))
            _ = try await log.importer().run(request) { stream.yield($0) }
            stream.finish()
            var last: [ImportProgress.Phase: ImportProgress] = [:]
            for await progress in told {
                #expect(progress.rows >= last[progress.phase]?.rows ?? 0)
                last[progress.phase] = progress
            }
            #expect(last[.inspecting]?.rows == 2000 && last[.inspecting]?.fraction == 1)
            #expect(last[.recording]?.rows == 2000 && last[.recording]?.fraction == 1)
            #expect(last[.recording]?.remaining == .zero)
        }
    }
}
