import Domain
import EventLog
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestRandom
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web

/// Submissions of all categories and geoprivacies, and imported records.
struct LongScene: Sendable {
    static let submissions = 2_000

    struct Sent: Sendable {
        let id: String
        let drawn: DrawnSighting
    }

    let birders: [Caller]
    let moderator: Caller
    let sent: [Sent]

    init(_ served: ServedRoutes, seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        try await served.importSensitiveTaxa(more: [])
        (birders, moderator) = (
            try await concurrently(Array(0..<5)) { number, _ in
                let birder = try await Caller.register(served)
                let named = try await birder.send(
                    .patch, "/v1/me", headers: [.ifMatch: "*"],
                    json: #"{"displayName":"\#(DrawnSighting.word(of: number))"}"#)
                try #require(named.status == .ok, "\(String(buffer: named.body))")
                return birder
            }, try await Caller.register(served, role: .moderator)
        )
        let drawn = (0..<Self.submissions).map { DrawnSighting(&random, birder: $0 % 5) }
        sent = try await concurrently(drawn, atMost: 16) { [birders] _, drawn in
            Sent(id: try #require(try await birders[drawn.birder].submit(drawn.body).text("id")), drawn: drawn)
        }
        try await served.followToHead()
        try await decide(served)
        try await LongSources.importAll(served)
        try await served.followToHead()
    }

    /// Decides the sightings in batches: rejections first, while no taxon has a margin, where they take two moderators.
    private func decide(_ served: ServedRoutes) async throws {
        let decided = sent.filter { $0.drawn.decision == .reject } + sent.filter { $0.drawn.decision == .approve }
        for start in stride(from: 0, to: decided.count, by: 200) {
            let items = decided[start..<min(start + 200, decided.count)].map { sent in
                let decision =
                    sent.drawn.decision == .approve
                    ? #""decision":"approve""# : #""decision":"reject","reasons":["wrong-date"]"#
                return #"{"key":"\#(UUID())","subject":"sighting","id":"\#(sent.id)","version":1,\#(decision)}"#
            }
            let answer = try await moderator.send(
                .post, "/v1/moderation/decisions", json: #"{"items":[\#(items.joined(separator: ","))]}"#)
            try #require(answer.status == .ok, "\(String(buffer: answer.body))")
            let statuses = try answer.json["items"]?.items.compactMap { $0["status"]?.integer } ?? []
            try #require(statuses == items.map { _ in 200 }, "\(Set(statuses))")
        }
    }

    /// The exact records of a species by a birder.
    func plain(_ species: DrawnSighting.Species, by birder: Int) -> [String] {
        let found = sent.filter {
            $0.drawn.isPlain && $0.drawn.birder == birder && $0.drawn.species.name == species.name
        }
        return found.map(\.id)
    }
}

extension ServedRoutes {
    /// Imports the species of the scenario, and the list of their categories.
    /// - Parameter more: species that have category 2, besides.
    func importSensitiveTaxa(more: [DrawnSighting.Species]) async throws {
        let aves = [["scientificName", "rank", "parent", "kind", "names"]]
        let species = DrawnSighting.Species.all.filter { $0.category != nil }
        try await withTable(aves + species.map { [$0.scientificName, "species", "Aves", "bird", "en:\($0.name)"] }) {
            let summary = try await TaxaImport(log: cases.imports).run($0)
            #expect(summary.problems.isEmpty)
        }
        let listed =
            species.map { [$0.scientificName, "\($0.category ?? 0)", "nests", "a list"] }
            + more.map { [$0.scientificName, "2", "nests", "a list"] }
        try await withTable([["scientificName", "category", "reason", "source"]] + listed) {
            let summary = try await SensitivityImport(log: cases.imports).run($0)
            #expect(summary.problems.isEmpty)
        }
        try await followToHead()
        try await cases.ground.catalogue.refresh()
    }

    /// Runs something with a file of tab-separated rows.
    func withTable(_ rows: [[String]], _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "table-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(rows.map { $0.joined(separator: "\t") + "\n" }.joined().utf8).write(to: file)
        try await body(file.path(percentEncoded: false))
    }
}
