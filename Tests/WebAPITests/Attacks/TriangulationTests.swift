import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import Imports
import JSON
import Service
import TestSupport
import Testing
import Vault

@testable import Web

/// A moderator who triangulates: hidden records are found no better than by the cells and months that everyone sees.
struct TriangulationTests {
    /// An accepted record that a moderator looks for without reading it.
    private struct Prey {
        let name: String
        var more = ""
        /// Whether everyone sees it at once, its place, and its day.
        var isPublic = (atOnce: false, place: false, day: false)
        /// Whether everyone ever sees its cell.
        var hasCell = false

        static let all = [
            Prey(name: "Pacific Wren", isPublic: (true, true, true), hasCell: true),
            Prey(name: "Birds", more: #","geoprivacy":"obscured""#, isPublic: (true, false, true), hasCell: true),
            Prey(name: "Spotted Owl", hasCell: true),
            Prey(name: "Song Sparrow", more: #","geoprivacy":"private""#),
            Prey(name: "Great Tit"),
        ]
    }

    private static let truth = Spot(latitude: 47.672, longitude: -122.431)
    private static let day = 19
    /// More days than a month has.
    private static let later = Instant.now.adding(seconds: 40 * 86_400)

    @Test(arguments: 0..<5)
    func `no series of one's own sightings leads closer to a hidden record than its cell and month`(
        number: Int
    ) async throws {
        let prey = Prey.all[number]
        try await ServedRoutes.run { served in
            try await served.hideGreatTits()
            let (owner, second) = (try await Caller.register(served), try await Caller.register(served))
            let judge = try await Caller.register(served, role: .moderator)
            let moderator = try await Caller.register(served, role: .moderator)
            var attack = Triangulation(moderator: moderator, second: second, taxon: (prey.name, prey.more))
            let before = try await attack.records()

            let observed = #""observedAt":"2026-05-\#(Self.day)","latitude":47.672,"longitude":-122.431"#
            let sent = try await owner.submit(
                #"{"name":"\#(prey.name)","count":2,"confidence":8,\#(observed)\#(prey.more)}"#)
            let id = try #require(try sent.text("id"))
            let approved = try await judge.send(
                .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
                json: #"{"decision":"approve"}"#)
            try #require(approved.status == .ok)
            try await served.followToHead()
            #expect(try await attack.records() - before == (prey.isPublic.atOnce ? 1 : 0))

            for now in [nil, Self.later] {
                attack.now = now
                let isSeen = prey.isPublic.atOnce || now != nil && prey.hasCell
                #expect(try await attack.records() == (isSeen ? 1 : 0))
                let spot = try await attack.spot(near: Self.truth.cell)
                let expected: Spot? = isSeen ? (prey.isPublic.place ? Self.truth : Self.truth.cell) : nil
                #expect((spot == nil) == (expected == nil))
                if let spot, let expected { #expect(spot.kilometres(to: expected) < 0.2, "\(spot)") }
                let day = try await attack.day(at: Self.truth)
                // The middle of the month, if everyone sees the month only.
                #expect(day == (isSeen ? (prey.isPublic.day ? Self.day : 16) : nil))
            }
            #expect(try await served.reads(of: id, by: moderator).isEmpty, "it was found without being read")
        }
    }

    @Test func `one's own sightings have no evidence`() async throws {
        try await ServedRoutes.run { served in
            let moderator = try await Caller.register(served, role: .moderator)
            let other = try await Caller.register(served, role: .moderator)
            let id = try #require(try await moderator.submit().text("id"))
            try await served.followToHead()
            let path = "/v1/moderation/sightings/\(id)"
            #expect(try await moderator.send(.get, path)["evidence"] == .null)
            #expect(try await other.send(.get, path)["evidence"]?["acceptedRecords"] == .integer(0))
        }
    }
}

extension ServedRoutes {
    /// Gives great tits category 1, and leaves spotted owls in category 2.
    func hideGreatTits() async throws {
        let list = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: list) }
        try Data(
            """
            scientificName\tcategory\treason\tsource
            Strix occidentalis\t2\tnests\ta list
            Parus major\t1\tnests\ta list\n
            """.utf8
        ).write(to: list)
        _ = try await SensitivityImport(log: cases.imports).run(list.path)
        try await followToHead()
        try await cases.ground.catalogue.refresh()
    }

    /// The lines of the audit.
    func reads(of sighting: String? = nil, by moderator: Caller) async throws -> [ExactReads.Reading] {
        try await database.withConnection(database.owner) { connection in
            try await ExactReads(database: connection).readings(
                by: moderator.account, of: sighting.flatMap(SightingID.init), limit: 1_000)
        }
    }
}
