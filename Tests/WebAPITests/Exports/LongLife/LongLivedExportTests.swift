import Domain
import EventLog
import Exchange
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOConcurrencyHelpers
import NIOCore
import ReadModels
import TestRandom
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web

/// What was cited stays as it was, whatever becomes known later; what may not be shown any more leaves it.
struct LongLivedExportTests {
    private static let site = ExportSite(
        address: "https://skein.example.org", organisation: "Wren Society", contact: "data@example.org")

    @Test(.hangs, arguments: RandomSource.seeds(1))
    func `exports of a day outlive changes, a rebuild and restarts, and follow restrictions`(
        seed: UInt64
    ) async throws {
        let settings = TestExports.settings(site: Self.site)
        let filled = NIOLockedValueBox<LongScene?>(nil)
        let made = NIOLockedValueBox<CitedDay?>(nil)
        try await withTestDatabase(models: ReadModel.all) { database in
            let day = Instant.now.date().adding(days: -2)
            try await ServedRoutes.serve(database, exports: settings) { served in
                let scene = try await LongScene(served, seed: seed)
                filled.withLockedValue { $0 = scene }
            }
            // Before a month's end that comes before the day: guarded records have appeared.
            try await database.recordEarlier(byDays: 40)
            try await database.rebuildModels()
            let scene = try #require(filled.withLockedValue { $0 })
            try await ServedRoutes.serve(database, exports: settings) { served in
                let cited = try await CitedDay(day, served)
                made.withLockedValue { $0 = cited }
                try Self.expectMixture(try OccurrenceTable(cited.export(.tsv).body))
                let knowledge = try await LaterKnowledge(scene, served)
                try await cited.expectSame(served)
                try await LongErrata(served, cited).expect(knowledge)
            }
            try await database.rebuildModels()
            let cited = try #require(made.withLockedValue { $0 })
            try await ServedRoutes.serve(database, exports: settings) { served in
                try await cited.expectSame(served)
                try await ServedRoutes.serve(database, exports: settings.ofAnotherProcess) { other in
                    try await cited.expectSame(other)
                }
                try await Self.restrict(cited, scene, served)
            }
        }
    }

    /// The records are of all kinds, so that there is something to compare.
    private static func expectMixture(_ table: OccurrenceTable) throws {
        #expect(table.rows.count > LongScene.submissions / 2)
        for species in DrawnSighting.Species.all {
            let ids = table.ids(.scientificName, species.scientificName)
            #expect(ids.isEmpty == (species.category == 1), "\(species.name): \(ids.count)")
        }
        for precision in ["0.1", "0.01", "0.001", ""] {
            #expect(!table.ids(.coordinatePrecision, precision).isEmpty, "\(precision)")
        }
        #expect(!table.ids(.datasetName, LongSources.title).isEmpty)
        #expect(!table.ids(.decimalLatitude, "").isEmpty, "private ones have no place")
    }

    private static func restrict(_ cited: CitedDay, _ scene: LongScene, _ served: ServedRoutes) async throws {
        var course = try RestrictedCourse(served, cited.export(.tsv))
        let (erased, narrower) = (DrawnSighting.word(of: 0), scene.birders[1].at(served))
        let narrowed = try #require(scene.plain(.wren, by: 1).first)
        let first = course.table
        #expect(!first.ids(containing: erased).isEmpty && first.ids.contains("urn:uuid:\(narrowed)"))

        // An account is erased: its records stay, without its name and words.
        let left = try await scene.birders[0].at(served).leave(.keep)
        try #require(left.status.code < 300, "\(String(buffer: left.body))")
        try await RestrictedCourse.look(served)
        for export in cited.exports { try await RestrictedCourse.expectGone(served, export, 1, export.sha256) }
        #expect(try await served.cases.exports.settings.store.checkedNames().isEmpty)
        try await course.advance()
        let anonymous = course.table
        #expect(anonymous.ids == first.ids && anonymous.ids(containing: erased).isEmpty)
        #expect(first.changed(to: anonymous) == first.ids(containing: erased))

        // A record is narrowed.
        let patched = try await narrower.send(
            .patch, "/v1/me/findings/\(narrowed)", headers: [.ifMatch: "*"], json: #"{"geoprivacy":"private"}"#)
        try #require(patched.status == .ok, "\(String(buffer: patched.body))")
        try await course.advance()
        let without = course.table
        #expect(without.ids == anonymous.ids.subtracting(["urn:uuid:\(narrowed)"]))
        #expect(anonymous.changed(to: without).isEmpty)

        // A species receives a category.
        let tits = without.ids(.scientificName, DrawnSighting.Species.tit.scientificName)
        try await served.importSensitiveTaxa(more: [.tit])
        try await course.advance()
        let protected = course.table
        let hidden = without.ids.subtracting(protected.ids)
        #expect(hidden.count > 20 && hidden.isSubset(of: tits) && protected.ids.isSubset(of: without.ids))
        #expect(without.changed(to: protected).isSubset(of: tits))
        for id in tits.intersection(protected.ids) { #expect(protected[id, .decimalLatitude] == "", "\(id)") }
        let some = hidden.sorted().prefix(20).map { String($0.suffix(36)) }
        try await expectNone(of: [erased, narrowed] + some, cited, served)

        // Their months end: they are back, generalised.
        let today = Instant.now.date()
        let next = try CivilDate(
            year: today.month == 12 ? today.year + 1 : today.year, month: today.month % 12 + 1, day: 2)
        try await course.advance(at: Instant(startOf: next))
        let back = course.table
        #expect(back.ids.count == first.ids.count && course.revision == 5)
        #expect(back.ids.isDisjoint(with: hidden.union(["urn:uuid:\(narrowed)"])))
        for id in back.ids(.scientificName, DrawnSighting.Species.tit.scientificName) {
            #expect(["", "0.1"].contains(try #require(back[id, .coordinatePrecision])), "\(id)")
        }
    }

    /// The second revisions in the other formats, made after all restrictions.
    private static func expectNone(
        of words: [String], _ cited: CitedDay, _ served: ServedRoutes
    ) async throws {
        let anyone = Caller.anonymous(served)
        let others = cited.exports.filter { $0.format != .tsv }
        for export in others {
            let waiting = try await anyone.send(.get, "/v1/exports/\(export.id)/data")
            #expect(try waiting.problem == "export-not-ready", "\(export.format)")
        }
        try await served.makeExports()
        for export in others {
            let data = try await anyone.send(.get, "/v1/exports/\(export.id)/data?revision=2")
            #expect(data.status == .ok, "\(export.format)")
            let bytes = Data(Array(buffer: data.body))
            for word in words { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(export.format): \(word)") }
            try await RestrictedCourse.expectGone(served, export, 1, export.sha256)
        }
    }
}
