import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Web

extension RouteTests {
    @Test func `a birder's lists of species`() async throws {
        let served = try ServedRoutes.required
        let birder = try await Caller.register(served)
        let moderator = try await Caller.register(served, role: .moderator)
        let first = try #require(try await birder.submit().text("id"))
        let decided = try await moderator.send(
            .post, "/v1/moderation/sightings/\(first)/decisions", headers: [.ifMatch: "*"],
            json: #"{"decision":"approve"}"#)
        for name in ["Pacific Wren", "Song Sparrow", "Spotted Owl", "Birds", "something brown"] {
            _ = try await birder.submit(Caller.sighting(name).replacing("2026-05-01", with: "2026-05-02"))
        }
        let all = try await birder.send(.get, "/v1/me/species", headers: try decided.position)
        #expect(try all.status == .ok && all["total"]?.integer == 3 && all["next"] == .null)
        let items = try #require(try all["items"]?.items)
        let wren = try #require(items.last)
        #expect(wren["taxon"]?["commonName"]?.string == "Pacific Wren" && wren["taxon"]?["kind"]?.string == "bird")
        #expect(wren["findingCount"]?.integer == 2 && wren["approvedCount"]?.integer == 1)
        #expect(wren["first"]?["id"]?.string == first && wren["first"]?["status"]?.string == "approved")
        #expect(wren["first"]?["observedAt"]?.string == "2026-05-01T07:30:00-07:00")
        #expect(wren["last"]?["observedAt"]?.string == "2026-05-02T07:30:00-07:00")
        #expect(wren["last"]?["status"]?.string == "pending")
        // An owner sees sensitive species like any others.
        #expect(items.contains { $0["taxon"]?["commonName"]?.string == "Spotted Owl" })
        for (query, total) in [
            ("year=2026&region=pacific-northwest&kind=bird", 3), ("year=2025", 0), ("region=hawaii", 0),
            ("kind=mammal", 0),
        ] {
            let filtered = try await birder.send(.get, "/v1/me/species?\(query)")
            #expect(try filtered["total"]?.integer == total, "\(query)")
        }
        let stranger = try await Caller.register(served)
        #expect(try await stranger.send(.get, "/v1/me/species")["total"]?.integer == 0)
    }

    @Test func `pages of species, and faults of their queries`() async throws {
        let served = try ServedRoutes.required
        let birder = try await Caller.register(served)
        for name in ["Pacific Wren", "Song Sparrow", "Great Tit"] { _ = try await birder.submit(Caller.sighting(name)) }
        var (path, names): (String, [String]) = ("/v1/me/species?limit=2", [])
        while true {
            let page = try await birder.send(.get, path)
            #expect(try page["total"]?.integer == 3)
            names += try #require(try page["items"]?.items).compactMap { $0["taxon"]?["commonName"]?.string }
            guard let next = try page.text("next") else { break }
            #expect(page.headers[.link]?.contains("after=\(next)") == true)
            path = "/v1/me/species?limit=2&after=\(next)"
            #expect(try await birder.send(.get, path + "&year=2026").status == .badRequest, "another query")
            let visits = try await birder.send(.get, "/v1/me/visits?after=\(next)")
            #expect(visits.status == .badRequest)
        }
        #expect(names.count == 3 && Set(names) == ["Pacific Wren", "Song Sparrow", "Great Tit"])
        for query in ["year=26", "year=1599", "year=2026-05", "kind=fish", "region=No", "limit=0", "anno=2026"] {
            #expect(try await birder.send(.get, "/v1/me/species?\(query)").status == .badRequest, "\(query)")
        }
    }

    @Test func `a birder's outings`() async throws {
        let served = try ServedRoutes.required
        let birder = try await Caller.register(served)
        let visit = UUID().uuidString.lowercased()
        let effort =
            #","visit":{"id":"\#(visit)","startedAt":"2026-05-01T07:00:00-07:00","minutes":45,"complete":true}"#
        let wren = try await birder.submit(Caller.sighting(more: effort))
        let unknown = try await birder.submit(Caller.sighting("something brown", more: effort))
        _ = try await birder.submit()
        let outings = try await birder.send(.get, "/v1/me/visits")
        #expect(try outings.status == .ok && outings["items"]?.items.count == 1 && outings["next"] == .null)
        #expect(try outings.text("items.0.id") == visit && outings["items.0.minutes"]?.integer == 45)
        #expect(try outings.text("items.0.startedAt") == "2026-05-01T14:00:00Z")
        #expect(try outings["items.0.complete"] == .boolean(true) && outings["items.0.distanceKm"] == .null)
        #expect(try outings["items.0.findingCount"]?.integer == 2 && outings["items.0.speciesCount"]?.integer == 1)
        let findings = try #require(try outings["items.0.findings"]?.items)
        #expect(Set(findings.compactMap { $0["id"]?.string }) == [try wren.text("id"), try unknown.text("id")])
        let brown = try #require(findings.first { $0["taxon"] == .null })
        #expect(brown["verbatimName"]?.string == "something brown" && brown["state"]?.string == "US-WA")
        let listed = try await birder.send(.get, "/v1/me/findings?visit=\(visit)")
        #expect(try listed["items"]?.items.count == 2)
        let none = try await birder.send(.get, "/v1/me/findings?visit=\(UUID())")
        #expect(try none["items"]?.items.isEmpty == true)
        #expect(try await birder.send(.get, "/v1/me/findings?visit=1").status == .badRequest)
        let stranger = try await Caller.register(served)
        #expect(try await stranger.send(.get, "/v1/me/visits")["items"]?.items.isEmpty == true)
    }

    @Test func `the pages of an outing's findings go with their filter`() async throws {
        let served = try ServedRoutes.required
        let birder = try await Caller.register(served)
        let visit = UUID().uuidString.lowercased()
        let effort = #","visit":{"id":"\#(visit)","startedAt":"2026-05-01T07:00:00-07:00"}"#
        for _ in 0..<2 { _ = try await birder.submit(Caller.sighting(more: effort)) }
        let first = try await birder.send(.get, "/v1/me/findings?limit=1&visit=\(visit)")
        let next = try #require(try first.text("next"))
        let second = try await birder.send(.get, "/v1/me/findings?limit=1&visit=\(visit)&after=\(next)")
        #expect(try second["items"]?.items.count == 1 && second["next"] == .null)
        #expect(try await birder.send(.get, "/v1/me/findings?limit=1&after=\(next)").status == .badRequest)
    }

    @Test func `anyone reads what the service is, and the confidence scale`() async throws {
        let served = try ServedRoutes.required
        let about = try await Caller.anonymous(served).send(.get, "/v1/about")
        #expect(about.status == .ok && about.headers[.cacheControl] == CachePolicy.publicMinutes.rawValue)
        let markdown = try #require(try about.text("markdown"))
        #expect(markdown.hasPrefix("# About Skein\n") && !markdown.contains("<!--"))
        #expect(markdown.contains("| 10 | in the hand, or photographed beyond doubt |"))
        #expect(try about["confidence.maximum"]?.integer == 10 && about["confidence.minimum"]?.integer == 1)
        #expect(try about["confidence.anchors"]?.items.count == Confidence.anchors.count)
        let tag = try #require(about.headers[.eTag])
        let again = try await Caller.anonymous(served).send(.get, "/v1/about", headers: [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
        #expect(try await Caller.anonymous(served).send(.get, "/v1/about?x=1").status == .badRequest)
    }
}
