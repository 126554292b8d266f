import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOCore
import ReadModels
import TestSupport
import Testing

@testable import Forms
@testable import Service
@testable import Web

/// A birder compares exports and streams before and after hidden records of the month, to count them.
struct CountingExportTests {
    private static let formats = [ExportFormat.csv, .geojson, .dwca]

    /// The open records, and what a stranger is told when there are no others.
    private struct Open: Sendable {
        let birder: Caller
        let moderator: Caller
        let taxon: String
        /// The ids of the exports of the day, and of the day before all records.
        var exports: [String] = []
        var answers: [String: PublicAnswer] = [:]
    }

    @Test(.hangs) func `hidden records change nothing of exports and streams within their month`() async throws {
        let settings = TestExports.settings(
            site: ExportSite(
                address: "https://skein.example.org", organisation: "Wren Society", contact: "data@example.org"))
        let month = PastMonth()
        let shared = NIOLockedValueBox<Open?>(nil)
        try await withTestDatabase(models: ReadModel.all) { database in
            try await ServedRoutes.serve(database, exports: settings) { served in
                let open = try await Self.open(served)
                shared.withLockedValue { $0 = open }
            }
            try await month.move(database)
            let last = NIOLockedValueBox<Int64>(0)
            try await ServedRoutes.serve(database, exports: settings) { served in
                let position = try await served.cases.ground.log.current().position
                last.withLockedValue { $0 = position }
                var open = try #require(shared.withLockedValue { $0 })
                open.exports = try await served.exports(Self.formats, asOf: month.day, at: month.dayIsOver)
                open.exports += try await served.exports(
                    [.csv], asOf: month.middle.adding(days: -1), at: month.dayIsOver)
                open.answers = try await Self.answers(served, open, month)
                shared.withLockedValue { [open] in $0 = open }
                try await Self.hide(served, open)
            }
            try await month.move(database, after: last.withLockedValue(\.self))
            try await ServedRoutes.serve(database, exports: settings) { served in
                try await Self.expectSame(served, try #require(shared.withLockedValue { $0 }), month)
            }
        }
    }

    private static func open(_ served: ServedRoutes) async throws -> Open {
        try await served.importSensitiveTaxa(more: [])
        let birder = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        var taxon = ""
        for name in ["Pacific Wren", "Song Sparrow", "Pacific Wren"] {
            let sent = try await birder.submit(Caller.sighting(name))
            taxon = try #require(try sent.text("taxon.id"))
            try await served.decide(try #require(try sent.text("id")), by: moderator)
        }
        try await served.importRows(of: ["Troglodytes pacificus"], into: "Open counts")
        try await served.importRows(of: ["Melospiza melodia"], into: "Closed counts", republish: .no)
        try await served.followToHead()
        return Open(birder: birder, moderator: moderator, taxon: taxon)
    }

    /// Records of categories 1 and 2 and private ones, in every state, submitted and imported.
    private static func hide(_ served: ServedRoutes, _ open: Open) async throws {
        let birder = open.birder.at(served)
        let kinds = [("Gyrfalcon", ""), ("Spotted Owl", ""), ("Pacific Wren", #","geoprivacy":"private""#)]
        for (name, more) in kinds {
            for fate in ["pending", "approved", "rejected", "mistake", "privacy"] {
                let id = try #require(try await birder.submit(Caller.sighting(name, more: more)).text("id"))
                switch fate {
                case "approved": try await served.decide(id, by: open.moderator)
                case "rejected":
                    try await served.decide(id, #""decision":"reject","reasons":["wrong-date"]"#, by: open.moderator)
                case "mistake", "privacy":
                    let withdrawn = try await birder.send(
                        .delete, "/v1/me/findings/\(id)?reason=\(fate)", headers: [.ifMatch: "*"])
                    try #require(withdrawn.status.code < 300, "\(String(buffer: withdrawn.body))")
                default: break
                }
            }
        }
        let sensitive = ["Falco rusticolus", "Strix occidentalis"]
        try await served.importRows(of: sensitive, into: "Hidden counts", locality: "an eyrie")
        try await served.importRows(of: sensitive, into: "Secret counts", locality: "a nest", republish: .no)
        try await served.followToHead()
    }

    private static func answers(
        _ served: ServedRoutes, _ open: Open, _ month: PastMonth
    ) async throws -> [String: PublicAnswer] {
        var paths = PublicAnswer.lists(taxon: open.taxon) + PublicAnswer.lists(taxon: open.taxon, "asOf=\(month.day)")
        paths += PublicAnswer.lists(taxon: open.taxon, "asOf=\(month.day)&kind=bird&region=pacific-northwest")
        paths += PublicAnswer.figures(taxon: open.taxon)
        paths += PublicAnswer.figures(taxon: open.taxon, "asOf=\(month.day)")
        for export in open.exports {
            paths += PublicAnswer.parts(of: export) + ["/v1/exports/\(export)/errata?asOf=\(month.day)"]
        }
        var answers: [String: PublicAnswer] = [:]
        for path in paths {
            answers[path] = try await PublicAnswer.read(path, served, at: month.dayIsOver)
            #expect(answers[path]?.status == 200, "\(path)")
        }
        return answers
    }

    private static func expectSame(_ served: ServedRoutes, _ open: Open, _ month: PastMonth) async throws {
        try await RestrictedCourse.look(served, at: month.dayIsOver)
        let after = try await answers(served, open, month)
        for (path, answer) in open.answers { #expect(after[path] == answer, "\(path)") }
        // The same exports, if they are asked for only now.
        let cases = served.cases
        let folder = cases.exports.settings.folder + "/files"
        let files = cases.exports.files(over: cases.ground.pool, in: folder, disk: DiskSpace(of: [folder]))
        for (format, id) in zip(formats, open.exports) {
            let file = try await ServedRoutes.$now.withValue(month.dayIsOver) {
                try await files.make(
                    FileExportRequest(format: format, filter: RecordFilter(), asOf: .day(month.day)))
            }
            #expect(file.facts.subject.id.description == id)
            let manifest = try await Caller.anonymous(served).send(.get, "/v1/exports/\(id)/manifest")
            #expect(
                try JSONValue(parsing: JSONWriter.bytes(of: ExportManifest(file.facts))) == manifest.json, "\(format)")
        }
        // The clock goes on: otherwise there would be nothing to count.
        let next = Instant(startOf: month.lastDay.adding(days: 1)).adding(seconds: 3_600)
        let path = "/v1/sightings?asOf=\(month.lastDay) csv"
        let appeared = try await PublicAnswer.read(path, served, at: next).body
        let present = try #require(open.answers["/v1/sightings?asOf=\(month.day) csv"]).body
        #expect(appeared.count > present.count && appeared.contains("Strix occidentalis"))
    }
}
