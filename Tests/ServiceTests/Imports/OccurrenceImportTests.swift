import Domain
import EventLog
import Foundation
import Imports
import JSON
import Postgres
import Service
import TestSupport
import Testing

struct OccurrenceImportTests {
    @Test func `a row becomes a record with everything that follows from it`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("one.csv", WrenRow.file([WrenRow()]))
            let summary = try await log.importRows(file) { request in
                request.licence = .by
                request.publisher = try? CreditLine("A survey")
            }
            #expect(summary.accepted == 1 && summary.rows == 1 && summary.rejected.isEmpty)
            let record = try #require(try await log.standing().first)
            #expect(record.identification.taxon == ImportFixture.smallNames.match("Troglodytes pacificus"))
            #expect(record.identification.sensitivity == .four)
            #expect(record.details.count?.value == 3)
            #expect(record.details.observed.value == .day(try CivilDate("2019-05-04")))
            #expect(record.details.observed.zone.text == "America/Los_Angeles")
            #expect(record.details.place.state?.text == "US-OR")
            #expect(record.details.licence == .by)
            #expect(!record.details.captive)
            #expect(record.batch == summary.batch && record.dataset == summary.dataset)
            #expect(record.observer == nil && record.details.confidence == nil)
            let json = try #require(try await log.records().first)
            let kept = try JSONValue(parsing: Array(json.utf8))
            #expect(kept["verbatimName"]?.string == "Troglodytes pacificus")
            #expect(kept["individualCount"]?.string == "3")
            #expect(kept["dynamicProperties"]?["site"]?.string == "north")
            #expect(try await log.stagingTables() == 0)
        }
    }

    @Test func `the same file twice adds nothing but that it was read`() async throws {
        try await ImportFixture.run { log in
            let file = try log.write("many.csv", WrenRow.file(WrenRow.many(700)))
            let first = try await log.importRows(file)
            let before = try await log.sightings()
            let second = try await log.importRows(file)
            #expect(first.accepted == 700)
            #expect(second.accepted == 0 && second.known == 700)
            #expect(second.batch != first.batch)
            #expect(try await log.sightings() == before)
            #expect(try await log.standing().allSatisfy { $0.batch == first.batch })
        }
    }

    @Test func `the order of columns and the quoting do not make another content`() async throws {
        try await ImportFixture.run { log in
            try await log.importRows(
                try log.write(
                    "a.csv",
                    [
                        "occurrenceID,year,decimalLatitude,decimalLongitude,site,observer",
                        "a,2017,45.5,-122.6,north,Müller",
                    ]))
            let again = try await log.importRows(
                try log.write(
                    "b.tsv",
                    [
                        "site\tdecimalLongitude\tdecimalLatitude\tyear\tobserver\toccurrenceID",
                        "\"north\"\t-122.6\t45.5\t2017\tMüller\ta",
                    ]))
            #expect(again.known == 1 && again.accepted == 0 && again.corrected == 0)
        }
    }

    @Test func `another content of the same id is a correction, and changes nothing else`() async throws {
        try await ImportFixture.run { log in
            var rows = WrenRow.many(3)
            try await log.importRows(try log.write("a.csv", WrenRow.file(rows)))
            (rows[1].count, rows[1].name) = ("", "Troglodytes hiemalis")
            let summary = try await log.importRows(try log.write("b.csv", WrenRow.file(rows)))
            #expect(summary.corrected == 1 && summary.known == 2 && summary.accepted == 0)
            let changed = try #require(try await log.standing().first { $0.batch == summary.batch })
            #expect(changed.details.count == nil)
            #expect(changed.identification.taxon == ImportFixture.smallNames.match("Troglodytes hiemalis"))
            #expect(try await log.sightings().count == 3)
        }
    }

    @Test func `only --replace withdraws what has vanished, and what comes back stands again`() async throws {
        try await ImportFixture.run { log in
            let all = WrenRow.many(5)
            try await log.importRows(try log.write("all.csv", WrenRow.file(all)))
            let some = try log.write("some.csv", WrenRow.file(Array(all[..<3])))
            #expect(try await log.importRows(some).withdrawn == 0)
            #expect(try await log.standing().count == 5)
            let replaced = try await log.importRows(some) { ($0.replace, $0.isConfirmed) = (true, true) }
            #expect(replaced.withdrawn == 2 && replaced.known == 3)
            #expect(try await log.standing().count == 3)
            let withdrawn = try await log.sightings().values.filter { $0.status == .withdrawn }
            #expect(withdrawn.allSatisfy { $0.withdrawal == .vanished })
            let back = try await log.importRows(try log.write("back.csv", WrenRow.file(all) + [""]))
            #expect(back.accepted == 2 && back.known == 3)
            #expect(try await log.standing().count == 5)
        }
    }

    @Test func `--replace withdraws nothing of other datasets, nor where rows could not be read, nor of rejected rows`()
        async throws
    {
        try await ImportFixture.run { log in
            try await log.importRows(try log.write("a.csv", WrenRow.file(WrenRow.many(4))))
            let other = try log.write("b.csv", WrenRow.file([WrenRow(id: "x")]))
            let title = try DatasetTitle("Another")
            let apart = try await log.importRows(other) { ($0.replace, $0.dataset) = (true, title) }
            #expect(apart.withdrawn == 0)
            let ragged = try log.write(
                "c.csv", WrenRow.file([WrenRow(id: "w0")]) + [WrenRow(id: "w1").line + ",too,many"])
            let careful = try await log.importRows(ragged) { $0.replace = true }
            #expect(careful.withdrawn == 0 && careful.rejected["ragged-row"] == 1)
            #expect(careful.warnings.contains { $0.contains("nothing was withdrawn") })
            var rows = WrenRow.many(4)
            rows[2].date = "someday"
            let rejected = try await log.importRows(try log.write("d.csv", WrenRow.file(rows))) { $0.replace = true }
            #expect(rejected.withdrawn == 0 && rejected.rejected["invalid-date"] == 1)
            #expect(try await log.standing().count == 5)
        }
    }

    @Test func `equal rows without ids all stay, however often the file comes`() async throws {
        try await ImportFixture.run { log in
            let rows = (0..<400).map { WrenRow(id: "", count: String($0 % 3 + 1)) }
            let file = try log.write("equal.csv", WrenRow.file(rows))
            let first = try await log.importRows(file) { $0.replace = true }
            #expect(first.accepted == 400 && first.withdrawn == 0)
            #expect(first.warnings.contains { $0.hasPrefix("400 rows have no occurrenceID") })
            let second = try await log.importRows(file) { $0.replace = true }
            #expect(second.known == 400 && second.withdrawn == 0)
            #expect(try await log.standing().count == 400)
            let fewer = try await log.importRows(try log.write("fewer.csv", WrenRow.file(Array(rows[..<399])))) {
                $0.replace = true
            }
            #expect(fewer.known == 399 && fewer.withdrawn == 1)
        }
    }

    @Test func `an id twice in a file: the same content is known, another is rejected`() async throws {
        try await ImportFixture.run { log in
            let rows = [WrenRow(id: "a"), WrenRow(id: "a"), WrenRow(id: "a", count: "9"), WrenRow(id: "b")]
            let summary = try await log.importRows(try log.write("ids.csv", WrenRow.file(rows)))
            #expect(summary.accepted == 2 && summary.known == 1 && summary.rejected == ["repeated-id": 1])
            #expect(try await log.standing().count == 2)
        }
    }

    @Test func `a dry run says the same and records nothing`() async throws {
        try await ImportFixture.run { log in
            var rows = WrenRow.many(10)
            let old = try log.write("old.csv", WrenRow.file(rows))
            let announced = try await log.importRows(old) { $0.dryRun = true }
            #expect(announced.accepted == 10 && announced.isDryRun)
            #expect(try await log.head() == 0)
            try await log.importRows(old)
            rows[4].count = "44"
            rows[9].latitude = "0"
            rows[9].longitude = "0"
            rows.removeFirst()
            let new = try log.write("new.csv", WrenRow.file(rows))
            let head = try await log.head()
            let dry = try await log.importRows(new) { ($0.dryRun, $0.replace) = (true, true) }
            #expect(try await log.head() == head)
            let real = try await log.importRows(new) { $0.replace = true }
            #expect(dry.corrected == 1 && dry.known == 7 && dry.withdrawn == 1)
            #expect(dry.rejected == ["invalid-coordinates": 1])
            #expect(real.corrected == 1 && real.known == 7 && real.withdrawn == 1 && real.rejected == dry.rejected)
        }
    }
}

extension TaxonNames {
    func match(_ name: String) -> TaxonID? {
        guard case .match(let match) = resolve(name) else { return nil }
        return match.taxon
    }
}
