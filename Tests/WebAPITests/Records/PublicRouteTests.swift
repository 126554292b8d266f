import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Service
import Testing

@testable import Web
@testable import WebAPI

extension RouteTests {
    @Test func `histories tell changes as of a day, by days to the public`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit()
        let (id, recorded) = (try #require(try sent.text("id")), try #require(try sent.text("recordedAt")))
        let path = "/v1/me/findings/\(id)"
        let corrected = try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: #"{"count":3}"#)
        let now = try await birder.send(.get, "/v1/sightings/\(id)", headers: corrected.position)
        #expect(try now["count"] == .integer(3) && now.text("recordedOn") == String(recorded.prefix(10)))
        #expect(now.headers[.restrictionPosition] != nil)
        let history = try await birder.send(.get, "/v1/sightings/\(id)/history", headers: corrected.position)
        #expect(try history["items"]?.items.count == 2)
        #expect(try history.text("items.0.recordedOn") == String(recorded.prefix(10)))
        let own = try await birder.send(.get, path + "/history", headers: corrected.position)
        #expect(try own["items"]?.items.count == 2 && own.text("items.0.recordedAt") == recorded)
    }

    @Test func `asOf is what was known at the end of a day that is over`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit()
        let path = "/v1/sightings/\(try #require(try sent.text("id")))"
        let today = try CivilDate(String(try #require(try sent.text("recordedAt")).prefix(10)))
        func known(_ query: String, daysAhead: Int = 0) async throws -> TestResponse {
            try await birder.read("\(path)?asOf=\(query)", daysAhead: daysAhead)
        }
        for day in [today, today.adding(days: 1), try CivilDate("9999-12-31")] {
            #expect(try await known("\(day)").problem == "day-not-over", "\(day)")
        }
        #expect(try await known("\(today)", daysAhead: 2)["count"] == .integer(2))
        #expect(try await known("\(today.adding(days: -1))", daysAhead: 2).problem == "not-found")
        #expect(try await known("0001-01-01").problem == "not-found")
        let position = try #require(sent.headers[.logPosition])
        for query in ["7", "1-7", position, "2026-05-01T00:00:00Z", "2026-05", "2026-02-30", ""] {
            #expect(try await known(query).problem == "invalid-parameter", "\(query)")
        }
    }

    @Test func `what was hidden later is hidden as of every day`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit()
        let id = try #require(try sent.text("id"))
        let hidden = try await birder.send(
            .delete, "/v1/me/findings/\(id)?reason=privacy", headers: [.ifMatch: "*"])
        #expect(try await birder.send(.get, "/v1/sightings/\(id)", headers: hidden.position).problem == "gone")
        let today = String(try #require(try sent.text("recordedAt")).prefix(10))
        #expect(try await birder.read("/v1/sightings/\(id)?asOf=\(today)", daysAhead: 2).problem == "gone")
    }

    @Test func `a position is accepted as it was sealed, in its epoch, and today and tomorrow`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit()
        let path = "/v1/sightings/\(try #require(try sent.text("id")))"
        func read(_ position: String, daysAhead: Int = 0) async throws -> TestResponse {
            try await birder.read(path, daysAhead: daysAhead, headers: [.logPosition: position])
        }
        let position = try #require(sent.headers[.logPosition])
        #expect(try await read(position).status == .ok)
        // Midnight may come in between.
        #expect(try await read(position, daysAhead: 3).problem == "invalid-header")
        let far = try birder.served.cases.ground.log.sealed(999_999_999)
        for (header, problem) in [
            ("7", "invalid-header"), ("1-7", "invalid-header"), ("x", "invalid-header"), ("", "invalid-header"),
            ("\(position), \(position)", "invalid-header"), (far, "log-position-unknown"), ("0-1", "epoch-changed"),
            ("2" + position.dropFirst(), "epoch-changed"),
        ] {
            #expect(try await read(header).problem == problem, "\(header)")
        }
    }

    @Test func `one's own map has true places, a taxon's map those of its descendants, and both reject bad boxes`()
        async throws
    {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit(Caller.sighting(more: #","geoprivacy":"obscured""#))
        let own = try await birder.send(.get, "/v1/me/map?zoom=12", headers: sent.position)
        #expect(try own["features.0.geometry.coordinates.1"] == .number(47.6577))
        let taxa = try await birder.send(.get, "/v1/taxa?q=birds")
        let birds = try #require(try taxa.text("items.0.id"))
        let all = try await birder.send(.get, "/v1/taxa/\(birds)/map", headers: sent.position)
        #expect(try all["features"]?.items.isEmpty == false)
        for query in ["bbox=1,2,3", "zoom=21", "from=0000-01-01", "colour=red"] {
            for path in ["/v1/me/map", "/v1/taxa/\(birds)/map"] {
                #expect(try await birder.send(.get, "\(path)?\(query)").problem == "invalid-parameter", "\(query)")
            }
        }
    }

    @Test func `every record of a map comes as a sequence of features`() async throws {
        let birder = try await Caller.register(try .required)
        // Away from sightings that other tests submit between the two requests.
        let sent = try await birder.submit(Caller.sighting().replacing("47.65", with: "13.65"))
        let path = "/v1/taxa/\(try #require(try sent.text("taxon.id")))/map?bbox=-180,13.6,180,13.7"
        let map = try await birder.send(.get, path, headers: sent.position)
        var headers = try sent.position
        headers[.accept] = "application/geo+json-seq"
        let sequence = try await birder.send(.get, path, headers: headers)
        #expect(sequence.headers[.contentType] == "application/geo+json-seq")
        #expect(sequence.headers[.vary]?.contains("Accept") == true)
        let lines = String(buffer: sequence.body).split(separator: "\n")
        let features = try lines.map { line in
            #expect(line.first == "\u{1E}")
            return try JSONValue(parsing: Array(line.dropFirst().utf8))
        }
        let points = try #require(try map["features"]?.items)
        #expect(
            points.count > 0
                && Set(points.map { JSONWriter.bytes(of: $0) }) == Set(features.map { JSONWriter.bytes(of: $0) }))
    }
}
