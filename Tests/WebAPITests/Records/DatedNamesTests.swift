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

/// An answer as of a day has the names of that day, whatever taxa are called since.
struct DatedNamesTests {
    @Test func `answers as of a day keep their bytes when taxa are renamed and moved`() async throws {
        try await ServedRoutes.run { served in
            let birder = try await Caller.register(served)
            let sent = try await birder.submit()
            let (id, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
            try await served.followToHead()
            try await served.recordEarlier(byDays: 3)
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

    /// A record, a map, and the map's records as a sequence.
    private static func read(_ record: String, _ map: String, by birder: Caller) async throws -> [TestResponse] {
        [
            try await birder.send(.get, record), try await birder.send(.get, map),
            try await birder.send(.get, map, headers: [.accept: "application/geo+json-seq"]),
        ]
    }
}

extension ServedRoutes {
    /// As if everything so far had been recorded some days earlier.
    fileprivate func recordEarlier(byDays days: Int) async throws {
        try await database.withConnection(database.owner) { owner in
            _ = try await owner.query("alter table log.events_from_1 disable trigger all")
            _ = try await owner.query(
                "update log.events_from_1 set recorded_at = recorded_at - \(Int64(days)) * interval '1 day'")
            _ = try await owner.query("alter table log.events_from_1 enable trigger all")
        }
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
