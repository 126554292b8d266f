import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Exchange
@testable import Service
@testable import Web

/// The extensions of Darwin Core archives, compared with the responses of the API.
struct ArchiveExportTests {
    /// The rows of an archive's tables, with the id of the record first.
    private struct Tables {
        let core: [[String]]
        let media: [[String]]
        let identifications: [[String]]
        let hashes: [[String]]
    }

    /// A birder's sighting that a moderator has identified as another taxon, and approved. The birder insists on the
    /// first one, which changes nothing.
    private struct Scene {
        let exports: ExportScene
        let sighting: String
        let birder: Caller
        let moderator: Caller

        /// The day of the archive: a month later, so that guarded records are shown.
        let day = Instant.now.date().adding(days: 35)

        static func run(_ more: String = "", _ body: @Sendable (Scene) async throws -> Void) async throws {
            let site = ExportSite(
                address: "https://skein.example.org", organisation: "Wren Society", contact: "data@example.org")
            try await ExportScene.run(TestExports.settings(site: site)) { exports in
                let birder = try await Caller.register(exports.served)
                let sparrow = try #require(try await birder.submit(Caller.sighting("Song Sparrow")).text("taxon.id"))
                let sent = try await birder.submit(Caller.sighting(more: more))
                let (id, wren) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
                let moderator = try await Caller.register(exports.served, role: .moderator)
                let path = "/v1/moderation/sightings/\(id)"
                let identified = try await moderator.send(
                    .post, path + "/identifications", json: #"{"taxonId":"\#(sparrow)","qualifier":"cf"}"#)
                try #require(identified.status == .ok, "\(String(buffer: identified.body))")
                let insisted = try await birder.send(
                    .post, "/v1/me/findings/\(id)/identifications", json: #"{"taxonId":"\#(wren)"}"#)
                try #require(insisted.status == .ok, "\(String(buffer: insisted.body))")
                let decided = try await moderator.send(
                    .post, path + "/decisions", headers: [.ifMatch: "*"], json: #"{"decision":"approve"}"#)
                try #require(decided.status == .ok, "\(String(buffer: decided.body))")
                try await exports.served.followToHead()
                try await body(Scene(exports: exports, sighting: id, birder: birder, moderator: moderator))
            }
        }

        /// Adds a photo to the sighting, and approves it.
        func addPhoto() async throws {
            let added = try await SampleRequests.addPhoto(to: sighting, by: birder)
            let photo = try #require(try added.text("id"), "\(String(buffer: added.body))")
            let decided = try await moderator.send(
                .post, "/v1/moderation/photos/\(photo)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try #require(decided.status == .ok, "\(String(buffer: decided.body))")
            try await exports.served.followToHead()
        }

        /// Reads a public route when the day is over.
        func get(_ path: String) async throws -> TestResponse {
            try await Caller.anonymous(exports.served).read("\(path)?asOf=\(day)", daysAhead: 37)
        }

        /// Makes the archive of all records, and reads it.
        func tables() async throws -> Tables {
            let cases = exports.served.cases
            let settings = cases.exports.settings
            let files = cases.exports.files(
                over: cases.ground.pool, in: settings.folder + "/files", disk: settings.disk)
            let request = FileExportRequest(format: .dwca, filter: RecordFilter(), asOf: .day(day))
            let file = try await ServedRoutes.$now.withValue(.now.adding(seconds: 37 * 86_400)) {
                try await files.make(request)
            }
            let archive = try DarwinCoreArchive(
                container: ArchiveContainer(path: file.path, kind: .zip, limits: ArchiveLimits()))
            func rows(of table: ArchiveTable?) throws -> [[String]] {
                guard let reader = try table.map({ try archive.rows(of: $0) }) else { return [] }
                var rows: [[String]] = []
                while let record = try reader.next() {
                    if case .row(let row) = record { rows.append(row.fields) }
                }
                return rows
            }
            let descriptor = try #require(archive.descriptor)
            func rows(ofType type: String) throws -> [[String]] {
                try rows(of: descriptor.extensions.first { $0.rowType == type })
            }
            return Tables(
                core: try rows(of: descriptor.core),
                media: try rows(ofType: "http://rs.gbif.org/terms/1.0/Multimedia"),
                identifications: try rows(ofType: "http://rs.tdwg.org/dwc/terms/Identification"),
                hashes: try rows(ofType: "http://rs.tdwg.org/ac/terms/Multimedia"))
        }

        /// The id, the day and the taxon of each identification in the public history of a record.
        func told(of id: String) async throws -> [[String]] {
            let history = try await get("/v1/sightings/\(id)/history")
            try #require(history.status == .ok, "\(String(buffer: history.body))")
            return try history["items"]?.items.compactMap { entry in
                let change = entry["changes"]?.items.first { $0["field"]?.string == "taxonId" }
                guard let taxon = change?["after"]?.string, let version = entry["version"]?.integer,
                    let day = entry["recordedOn"]?.string
                else { return nil }
                return ["urn:uuid:\(id)#\(version)", day, taxon]
            } ?? []
        }
    }

    @Test func `an archive has every identification of a record, in order`() async throws {
        try await Scene.run { scene in
            let tables = try await scene.tables()
            let record = "urn:uuid:\(scene.sighting)"
            #expect(tables.core.map { $0[0] } == [record])
            let rows = tables.identifications
            try #require(rows.count == 2 && rows.allSatisfy { $0.count == 11 && $0[0] == record }, "\(rows)")
            #expect(try await rows.map { [$0[1], $0[3], $0[7]] } == scene.told(of: scene.sighting))
            let answer = try await scene.get("/v1/sightings/\(scene.sighting)")
            let observer = try #require(try answer.text("observer.displayName"))
            #expect(rows.map { $0[2] } == [observer, "moderator 1"])
            #expect(rows.map { $0[4] } == ["Troglodytes pacificus", "Melospiza melodia"])
            #expect(rows.map { $0[6] } == ["species", "species"])
            #expect(rows.map { $0[8] } == ["", "cf."])
            #expect(rows.map { $0[9] } == ["pending", "approved"])
            #expect(rows.map { $0[10] } == ["submitted", "identified"])
            let last = try #require(tables.core.first)
            #expect(last[OccurrenceColumn.scientificName.index + 1] == rows[1][4])
            #expect(last[OccurrenceColumn.identificationVerificationStatus.index + 1] == rows[1][9])
        }
    }

    @Test(arguments: ["obscured", "private"])
    func `an archive has no identification that a generalised record's history does not have`(
        _ geoprivacy: String
    ) async throws {
        try await Scene.run(#","geoprivacy":"\#(geoprivacy)""#) { scene in
            let tables = try await scene.tables()
            let record = try #require(tables.core.first?[0])
            let id = String(record.dropFirst("urn:uuid:".count))
            #expect(tables.core.count == 1 && id != scene.sighting)
            let rows = tables.identifications
            #expect(try await rows.map { [$0[1], $0[3], $0[7]] } == scene.told(of: id))
            #expect(rows.count == (geoprivacy == "private" ? 0 : 2))
            #expect(rows.allSatisfy { $0[0] == record })
        }
    }

    @Test(arguments: ["open", "obscured"])
    func `an archive has the hash of the bytes that the address of a photo returns`(
        _ geoprivacy: String
    ) async throws {
        try await Scene.run(#","geoprivacy":"\#(geoprivacy)""#) { scene in
            try await scene.addPhoto()
            let tables = try await scene.tables()
            let row = try #require(tables.hashes.first)
            try #require(tables.hashes.count == 1 && row.count == 5, "\(tables.hashes)")
            #expect([row[0]] == tables.core.map { $0[0] })
            #expect([row[1]] == tables.media.map { $0[3] } && row[2] == row[1])
            let path = String(row[2].dropFirst("https://skein.example.org".count))
            let file = try await Caller.anonymous(scene.exports.served).send(.get, path)
            #expect(file.status == .ok && file.headers[.contentType] == "image/jpeg")
            #expect(row[3] == "SHA-256" && row[4] == Hexadecimal.sha256(of: file.body))
        }
    }

    @Test func `an archive has no photo of a guarded record, nor its hash`() async throws {
        try await Scene.run(#","geoprivacy":"private""#) { scene in
            try await scene.addPhoto()
            let tables = try await scene.tables()
            #expect(tables.core.count == 1 && tables.media.isEmpty && tables.hashes.isEmpty)
        }
    }
}
