import Domain
import EventLog
import Exchange
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Imports
@testable import Service
@testable import Web

/// Events after the day of the exports that change what is known, and restrict nothing.
struct LaterKnowledge: Sendable {
    /// The `occurrenceID` of records that were added, and of the one that is no longer approved.
    let added: Set<String>
    let rejected: String
    /// Names of taxa, and titles of datasets, whose records must change, and the columns that do.
    let renamed: [(column: OccurrenceColumn, value: String, columns: Set<OccurrenceColumn>)]

    /// Everything that changes, one after the other.
    init(_ scene: LongScene, _ served: ServedRoutes) async throws {
        added = try await Self.addRecords(scene, served)
        rejected = try await Self.reject(scene, served)
        renamed = [try await Self.renameTaxon(served), try await Self.renameDataset(served)]
        try await served.followToHead()
    }

    private static func renameDataset(
        _ served: ServedRoutes
    ) async throws -> (column: OccurrenceColumn, value: String, columns: Set<OccurrenceColumn>) {
        var command = DescribeDataset()
        command.title = try DatasetTitle("Counts at a brook")
        let described = try await DatasetDescription(log: served.cases.imports).run(LongSources.title, command)
        #expect(described.isChanged)
        return (.datasetName, LongSources.title, [.datasetName])
    }

    private static func addRecords(_ scene: LongScene, _ served: ServedRoutes) async throws -> Set<String> {
        let birder = try await Caller.register(served)
        var added: Set<String> = []
        for day in 10..<30 {
            let id = try #require(try await birder.submit(Caller.sighting(on: "2025-05-\(day)")).text("id"))
            try await decide(id, #"{"decision":"approve"}"#, scene, served)
            added.insert("urn:uuid:\(id)")
        }
        return added
    }

    private static func reject(_ scene: LongScene, _ served: ServedRoutes) async throws -> String {
        for id in scene.plain(.wren, by: 2) {
            let shown = try await scene.moderator.at(served).send(.get, "/v1/moderation/sightings/\(id)")
            // At the margin of its range, it takes two moderators.
            guard String(buffer: shown.body).contains(#""atMargin":false"#) else { continue }
            try await decide(id, #"{"decision":"reject","reasons":["wrong-date"]}"#, scene, served)
            return "urn:uuid:\(id)"
        }
        throw NoneToReject()
    }

    private struct NoneToReject: Error {}

    private static func decide(
        _ id: String, _ decision: String, _ scene: LongScene, _ served: ServedRoutes
    ) async throws {
        let decided = try await scene.moderator.at(served).send(
            .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"], json: decision)
        try #require(decided.status == .ok, "\(String(buffer: decided.body))")
    }

    private static func renameTaxon(
        _ served: ServedRoutes
    ) async throws -> (column: OccurrenceColumn, value: String, columns: Set<OccurrenceColumn>) {
        let sparrow = DrawnSighting.Species.sparrow.scientificName
        let rows = [
            ["scientificName", "rank", "parent", "kind", "names", "authorship"],
            [sparrow, "species", "Aves", "bird", "en:Streaked Sparrow", "(Wilson, 1810)"],
        ]
        try await served.withTable(rows) { file in
            let summary = try await TaxaImport(log: served.cases.imports).run(file)
            #expect(summary.changed == 1)
        }
        try await served.followToHead()
        try await served.cases.ground.catalogue.refresh()
        return (.scientificName, sparrow, [.vernacularName, .scientificNameAuthorship])
    }
}
