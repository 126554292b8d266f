import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import WebAPI

extension RouteTests {
    @Test(arguments: ["open", "obscured", "private"])
    func `anyone sees a sighting as exact as its observer wants`(_ wish: String) async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit(Caller.sighting(more: #","geoprivacy":"\#(wish)""#))
        let id = try #require(try sent.text("id"))
        let seen = try await Caller.anonymous(birder.served).send(
            .get, "/v1/sightings/\(id)", headers: sent.position)
        switch wish {
        case "open": #expect(try seen["latitude"] == .number(47.6577))
        case "obscured": #expect(try seen["latitude"] == .number(47.65))
        default: #expect(try seen.status == .notFound || seen["latitude"] == .null)
        }
    }

    @Test func `a sighting of a sensitive taxon has another public id`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit(Caller.sighting("Spotted Owl", more: #","notes":"at the nest""#))
        let (id, taxon) = (try #require(try sent.text("id")), try #require(try sent.text("taxon.id")))
        #expect(try await birder.send(.get, "/v1/sightings/\(id)", headers: sent.position).problem == "not-found")
        let map = try await birder.send(.get, "/v1/taxa/\(taxon)/map?zoom=20", headers: sent.position)
        #expect(map.headers[.contentType] == "application/geo+json")
        let publicID = try #require(try map.text("features.0.id"))
        let seen = try await birder.send(.get, "/v1/sightings/\(publicID)")
        #expect(try seen["notes"] == .null && seen["observer"] == .null && seen.text("observedAt") == "2026-05")
    }

    @Test func `histories tell changes as of a position`() async throws {
        let birder = try await Caller.register(try .required)
        let sent = try await birder.submit()
        let id = try #require(try sent.text("id"))
        let path = "/v1/me/findings/\(id)"
        let corrected = try await birder.send(.patch, path, headers: [.ifMatch: "*"], json: #"{"count":3}"#)
        let before = try #require(sent.headers[.logPosition])
        let now = try await birder.send(.get, "/v1/sightings/\(id)", headers: corrected.position)
        let then = try await birder.send(.get, "/v1/sightings/\(id)?asOf=\(before)")
        #expect(try now["count"] == .integer(3) && then["count"] == .integer(2))
        #expect(now.headers[.restrictionPosition] != nil)
        for path in ["/v1/sightings/\(id)/history", path + "/history"] {
            let history = try await birder.send(.get, path, headers: corrected.position)
            #expect(try history["items"]?.items.count == 2, "\(path)")
        }
    }

    @Test func `a position above the head, of an earlier epoch or in the future is rejected`() async throws {
        let birder = try await Caller.register(try .required)
        let path = "/v1/sightings/\(try #require(try await birder.submit().text("id")))"
        for (query, header, problem) in [
            ("", "999999999", "log-position-unknown"), ("", "0-1", "epoch-changed"), ("", "x", "invalid-header"),
            ("?asOf=999999999", nil, "log-position-unknown"), ("?asOf=0-1", nil, "epoch-changed"),
            ("?asOf=2126-05-01T00:00:00Z", nil, "position-in-future"), ("?asOf=x", nil, "invalid-parameter"),
        ] {
            var headers = HTTPFields()
            headers[.logPosition] = header
            let response = try await birder.send(.get, path + query, headers: headers)
            #expect(try response.problem == problem, "\(query) \(header ?? "")")
        }
        let past = try await birder.send(.get, path + "?asOf=2020-01-01T00:00:00Z")
        #expect(try past.problem == "not-found")
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
}
