import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import TestSupport
import Testing

@testable import Service
@testable import Web

/// The streams of `GET /v1/sightings` as of a day, compared with exports.
struct StreamedExportTests {
    /// Filters in a query and in a request for an export, and the records that each finds.
    private static let filters = [
        ("", "{}", 3), ("&kind=bird&captive=false", #"{"kind":"bird","captive":false}"#, 2),
        // The cell of the obscured record is not all land, so the record has no public region.
        ("&region=pacific-northwest&minConfidence=8", #"{"region":"pacific-northwest","minConfidence":8}"#, 2),
        ("&from=2026-05-02&to=2026-05-31", #"{"from":"2026-05-02","to":"2026-05-31"}"#, 1),
        ("&status=accepted-by-source", #"{"status":["accepted-by-source"]}"#, 0),
        ("&maxUncertaintyMetres=100&hasPhoto=false", #"{"maxUncertaintyMetres":100,"hasPhoto":false}"#, 2),
    ]

    @Test func `a stream as of a day has the bytes of the export`() async throws {
        let site = ExportSite(
            address: "https://skein.example.org", organisation: "Wren Society", contact: "data@example.org")
        try await ExportScene.run(TestExports.settings(site: site)) { scene in
            let caller = try await Caller.register(scene.served)
            let moderator = try await Caller.register(scene.served, role: .moderator)
            let sightings = [
                Caller.sighting(more: #","notes":"a \"quoted\" tail, and\na line","uncertaintyMetres":30"#),
                Caller.sighting("Song Sparrow", more: #","captive":true,"geoprivacy":"obscured""#),
                Caller.sighting("Great Tit", more: #","uncertaintyMetres":20"#).replacing("05-01T", with: "05-02T"),
            ]
            for sighting in sightings {
                let id = try #require(try await caller.submit(sighting).text("id"))
                let decided = try await moderator.send(
                    .post, "/v1/moderation/sightings/\(id)/decisions", headers: [.ifMatch: "*"],
                    json: #"{"decision":"approve"}"#)
                try #require(decided.status == .ok, "\(String(buffer: decided.body))")
            }
            for (format, type) in [("csv", "text/csv"), ("geojsonseq", "application/geo+json-seq")] {
                for (query, filter, rows) in Self.filters {
                    let asked = try await scene.ask(
                        #"{"format":"\#(format)","filter":\#(filter),"asOf":"\#(scene.day)"}"#, by: caller)
                    let id = try #require(try asked.text("id"), "\(String(buffer: asked.body))")
                    try await scene.make()
                    let export = try await scene.send(.get, "/v1/exports/\(id)")
                    #expect(try export["revisions.0.rows"]?.integer == rows, "\(filter)")
                    let data = try await scene.data(id)
                    let stream = try await scene.send(
                        .get, "/v1/sightings?asOf=\(scene.day)\(query)", headers: [.accept: type])
                    #expect(data.status == .ok && stream.status == .ok, "\(format) \(query)")
                    #expect(stream.headers[.contentType] == data.headers[.contentType], "\(format)")
                    #expect(stream.body == data.body, "\(format) \(query)")
                }
            }
        }
    }
}
