import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Postgres
import Service
import TestSupport
import Testing

@testable import Imports
@testable import Web

/// An answer as of a day has the names of that day, even after taxa and datasets are renamed.
struct DatedNamesTests {
    @Test func `answers as of a day keep their bytes when taxa are renamed and moved`() async throws {
        try await ServedRoutes.run { served in
            let birder = try await Caller.register(served)
            let sent = try await birder.submit()
            let (id, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
            try await served.followToHead()
            try await served.database.recordEarlier(byDays: 3)
            let day = Instant.now.date().adding(days: -2)
            let (record, map) = ("/v1/sightings/\(id)?asOf=\(day)", "/v1/taxa/\(taxon)/map?asOf=\(day)")
            let then = try await Self.read(record, map, by: birder)
            #expect(then.allSatisfy { $0.status == .ok })
            #expect(try then[0].text("taxon.commonName") == "Pacific Wren")
            #expect(try then[1].text("features.0.properties.taxon.commonName") == "Pacific Wren")

            try await served.rename("Troglodytes pacificus", to: "en:Winter Wren")
            let now = try await Self.read("/v1/sightings/\(id)", "/v1/taxa/\(taxon)/map", by: birder)
            #expect(try now[0].text("taxon.commonName") == "Winter Wren")
            #expect(try now[1].text("features.0.properties.taxon.commonName") == "Winter Wren")
            #expect(String(buffer: now[2].body).contains("Winter Wren"))
            let again = try await Self.read(record, map, by: birder)
            for (before, after) in zip(then, again) {
                #expect(before.body == after.body && before.headers[.eTag] == after.headers[.eTag])
            }
            // Once the day of the renaming is over, it is known.
            let today = Instant.now.date()
            let later = try await birder.read("/v1/sightings/\(id)?asOf=\(today)", daysAhead: 2)
            #expect(try later.text("taxon.commonName") == "Winter Wren")
        }
    }

    @Test func `answers and exports as of a day keep their bytes when a dataset is renamed`() async throws {
        try await ExportScene.run { scene in
            let (served, exports) = (scene.served, scene.served.cases.exports)
            let (former, title) = ("Counts of sparows", "Counts of sparrows")
            let dataset = try await served.importSparrows(into: former, accepted: 2)
            try await served.database.recordEarlier(byDays: 3)
            let day = Instant.now.date().adding(days: -2)
            let birder = try await Caller.register(served)
            let path = "/v1/sightings?dataset=\(dataset)"
            let then = try await Self.list("\(path)&asOf=\(day)", by: birder)
            #expect(try then[0].text("items.1.dataset.title") == former)
            #expect(String(buffer: then[1].body).contains(former))
            let export = try await Self.export(day, scene, birder)
            let data = try await scene.data(export)
            #expect(String(buffer: data.body).contains(former))

            var command = DescribeDataset()
            command.title = try DatasetTitle(title)
            let described = try await DatasetDescription(log: served.cases.imports).run(former, command)
            #expect(described.id == dataset && described.isChanged)
            try await served.followToHead()
            let now = try await Self.list(path, by: birder)
            #expect(try now[0].text("items.1.dataset.title") == title)
            #expect(String(buffer: now[1].body).contains(title) && !String(buffer: now[1].body).contains(former))
            for (before, after) in zip(then, try await Self.list("\(path)&asOf=\(day)", by: birder)) {
                #expect(before.status == .ok && before.body == after.body)
                #expect(before.headers[.eTag] == after.headers[.eTag])
            }
            // The same export, which has the same bytes when it is made again.
            #expect(try await Self.export(day, scene, birder) == export)
            let files = exports.files(
                over: served.cases.ground.pool, in: exports.settings.folder + "/files", disk: exports.settings.disk)
            let verdict = try await ServedRoutes.$now.withValue(scene.later) {
                try await files.verify(try #require(ExportID(export))).verdict
            }
            guard case .identical = verdict else {
                Issue.record("\(verdict)")
                return
            }
            // Once the day of the renaming is over, it is known.
            let dated = try await birder.read("\(path)&asOf=\(scene.day)", at: scene.later)
            #expect(try dated.text("items.1.dataset.title") == title)
            let later = try await scene.data(try await Self.export(scene.day, scene, birder))
            #expect(String(buffer: later.body) == String(buffer: data.body).replacing(former, with: title))
            let errata = try await scene.send(.get, "/v1/exports/\(export)/errata?asOf=\(scene.day)")
            #expect(try errata["items"]?.items.count == 2 && errata.text("items.0.reason") == "credited")
            #expect(try errata.text("items.0.columns.0") == "datasetName")

            // The rows are known under either title.
            for name in [title, former] {
                #expect(try await served.importSparrows(into: name, accepted: 0) == dataset)
            }
            let all = try await birder.send(.get, "/v1/sightings?kind=bird")
            #expect(try all["items"]?.items.count == 2)
        }
    }

    /// The records of a list, and all of them as CSV.
    private static func list(_ path: String, by birder: Caller) async throws -> [TestResponse] {
        [try await birder.send(.get, path), try await birder.send(.get, path, headers: [.accept: "text/csv"])]
    }

    /// An export of all records as of a day, which is made if it is new.
    private static func export(_ day: CivilDate, _ scene: ExportScene, _ caller: Caller) async throws -> String {
        let asked = try await scene.ask(#"{"format":"csv","asOf":"\#(day)"}"#, by: caller)
        let id = try #require(try asked.text("id"), "\(String(buffer: asked.body))")
        try await scene.make()
        return id
    }

    /// A record, a map, and the map's records as a sequence.
    private static func read(_ record: String, _ map: String, by birder: Caller) async throws -> [TestResponse] {
        [
            try await birder.send(.get, record), try await birder.send(.get, map),
            try await birder.send(.get, map, headers: [.accept: "application/geo+json-seq"]),
        ]
    }
}

extension ServedRoutes {
    /// Imports two records that may be passed on, of which some are new.
    fileprivate func importSparrows(into title: String, accepted: Int) async throws -> DatasetID {
        let file = FileManager.default.temporaryDirectory.appending(path: "sparrows-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        let rows = [
            "occurrenceID,scientificName,eventDate,decimalLatitude,decimalLongitude",
            "s1,Melospiza melodia,2020-05-01,47.6,-122.3", "s2,Melospiza melodia,2020-05-02,47.6,-122.3",
        ]
        try Data(rows.map { $0 + "\n" }.joined().utf8).write(to: file)
        var request = OccurrenceImportRequest(file: file.path(percentEncoded: false), dataset: try DatasetTitle(title))
        (request.licence, request.republish) = (.by, .yes)
        let imports = OccurrenceImport(
            log: cases.imports, names: cases.ground.catalogue.names, places: cases.ground.places.index)
        let summary = try await imports.run(request)
        try #require(summary.accepted == accepted && summary.known == 2 - accepted, "\(summary)")
        try await followToHead()
        return summary.dataset
    }

    /// Imports a checklist in which a bird has another English name, an author, and a genus above it.
    fileprivate func rename(_ species: String, to names: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: file) }
        let genus = String(species.prefix { $0 != " " })
        let rows = [
            ["scientificName", "rank", "parent", "kind", "names", "authorship"],
            [genus, "genus", "Aves", "bird", "", "Vieillot, 1809"],
            [species, "species", genus, "bird", names, "(Baird, 1864)"],
        ]
        try Data(rows.map { $0.joined(separator: "\t") + "\n" }.joined().utf8).write(to: file)
        let summary = try await TaxaImport(log: cases.imports).run(file.path(percentEncoded: false))
        try #require(summary.added == 1 && summary.changed == 1, "\(summary.problems)")
        try await followToHead()
        try await cases.ground.catalogue.refresh()
    }
}
