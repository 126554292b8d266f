import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

/// The public routes show generalised sightings under other ids, with less, and some only when their month is over.
struct HiddenSightingTests {
    @Test func `an obscured sighting has a random id, a cell and a day`() async throws {
        try await Self.run { birder in
            let wish = #","geoprivacy":"obscured","notes":"by the pond""#
            let sent = try await birder.submit(Caller.sighting(more: wish))
            let id = try #require(try sent.text("id"))
            #expect(try await birder.read("/v1/sightings/\(id)", after: sent).problem == "not-found")
            let publicID = try #require(try await birder.read("/v1/me/findings/\(id)", after: sent).text("publicId"))
            #expect(publicID != id && UUID.isVersion8(publicID))
            let seen = try await birder.read("/v1/sightings/\(publicID)", after: sent)
            #expect(try seen["latitude"] == .number(47.65) && seen["observer.id"] != nil)
            #expect(try seen.text("observedAt") == "2026-05-01" && seen.text("notes") == "by the pond")
            let listed = try await birder.read("/v1/me/findings", after: sent)
            #expect(try listed.text("items.0.publicId") == publicID)
        }
    }

    @Test(arguments: [#","geoprivacy":"private""#, ""])
    func `a guarded sighting appears when its month is over, without observer, notes and day`(_ wish: String)
        async throws
    {
        try await Self.run { birder in
            let name = wish.isEmpty ? "Spotted Owl" : "Pacific Wren"
            let sent = try await birder.submit(Caller.sighting(name, more: wish + #","notes":"at the nest""#))
            let (id, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
            let map = "/v1/taxa/\(taxon)/map?zoom=20"
            #expect(try await birder.read("/v1/sightings/\(id)", after: sent).problem == "not-found")
            let publicID = try #require(try await birder.read("/v1/me/findings/\(id)", after: sent).text("publicId"))
            #expect(UUID.isVersion8(publicID))
            #expect(try await birder.read("/v1/sightings/\(publicID)", after: sent).problem == "not-found")
            #expect(try await birder.read(map, after: sent)["features"]?.items.isEmpty == true)

            let seen = try await birder.readLater("/v1/sightings/\(publicID)")
            #expect(try seen["notes"] == .null && seen["observer"] == .null && seen.text("observedAt") == "2026-05")
            #expect(try seen["latitude"] == (wish.isEmpty ? .number(47.65) : .null))
            let features = try await birder.readLater(map)["features"]?.items ?? []
            #expect(features.compactMap { $0["id"]?.string } == (wish.isEmpty ? [publicID] : []))
        }
    }

    @Test func `what is narrowed to private is gone at once, and names no successor`() async throws {
        try await Self.run { birder in
            let sent = try await birder.submit()
            let id = try #require(try sent.text("id"))
            #expect(try await birder.read("/v1/sightings/\(id)", after: sent).status == .ok)
            let narrowed = try await birder.send(
                .patch, "/v1/me/findings/\(id)", headers: [.ifMatch: "*"], json: #"{"geoprivacy":"private"}"#)
            _ = try await birder.read("/v1/sightings/\(id)", after: narrowed)
            let publicID = try #require(
                try await birder.read("/v1/me/findings/\(id)", after: narrowed).text("publicId"))
            func answers(daysAhead: Int) async throws -> [String?] {
                var answers: [String?] = []
                for path in ["/v1/sightings/\(id)", "/v1/sightings/\(id)/history", "/v1/sightings/\(publicID)"] {
                    let response = try await birder.read(path, daysAhead: daysAhead)
                    answers.append(try response.problem)
                    #expect(!String(buffer: response.body).contains(path.contains(publicID) ? id : publicID))
                }
                return answers
            }
            #expect(try await answers(daysAhead: 0) == ["gone", "gone", "not-found"])
            #expect(try await answers(daysAhead: 40) == ["gone", "gone", nil])
        }
    }

    @Test func `a corrected sighting of category two has another id, and no history of cells`() async throws {
        try await Self.run { birder in
            let sent = try await birder.submit(Caller.sighting("Spotted Owl"))
            let path = "/v1/me/findings/\(try #require(try sent.text("id")))"
            _ = try await birder.read("/v1/sightings/\(UUID())", after: sent)
            let before = try #require(try await birder.read(path, after: sent).text("publicId"))
            let corrected = try await birder.send(
                .patch, path, headers: [.ifMatch: "*"], json: #"{"latitude":47.9,"longitude":-122.4}"#)
            #expect(try await birder.read("/v1/sightings/\(before)", after: corrected).problem == "not-found")
            #expect(try await birder.readLater("/v1/sightings/\(before)").problem == "gone")
            #expect(try await birder.readLater("/v1/sightings/\(before)/history").problem == "gone")
            let after = try #require(try await birder.read(path, after: corrected).text("publicId"))
            let history = try await birder.readLater("/v1/sightings/\(after)/history")
            #expect(try history["items"]?.items.count == 1)
            #expect(!String(buffer: history.body).contains("47.65"))
        }
    }

    /// Over routes of its own: the clock goes on by weeks.
    private static func run(_ body: @Sendable (Caller) async throws -> Void) async throws {
        try await ServedRoutes.run { try await body(try await Caller.register($0)) }
    }
}

extension UUID {
    /// Whether a text is a UUID of version 8 of RFC 9562.
    fileprivate static func isVersion8(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
    }
}

extension Caller {
    /// Reads what the public model has once it has an earlier answer's write.
    fileprivate func read(_ path: String, after write: TestResponse) async throws -> TestResponse {
        try await send(.get, path, headers: try path.hasPrefix("/v1/me/findings/") ? [:] : write.position)
    }

    /// Reads when the present month is over.
    fileprivate func readLater(_ path: String) async throws -> TestResponse {
        try await read(path, daysAhead: 40)
    }
}
