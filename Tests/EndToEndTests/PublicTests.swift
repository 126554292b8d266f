import Foundation
import NIOHTTP1
import TestSupport
import Testing

extension EndToEndTests {
    @Test(arguments: ["open", "obscured", "private"])
    func `a place is as exact as its observer wants`(_ wish: String) async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let sent = try await birder.submit(Birder.sighting(more: #","geoprivacy":"\#(wish)""#))
        #expect(sent.number("latitude") == 47.6577)
        let id = try #require(sent.text("id"))
        let position = ["Log-Position": try #require(sent.header("Log-Position"))]
        // The public id is known as soon as the public model has the sighting: this read waits for it.
        _ = try await birder.service.send(.GET, "/v1/sightings/\(id)", headers: position)
        let own = try await birder.send(.GET, "/v1/me/findings/\(id)")
        let publicID = own.text("publicId")
        let seen = try await birder.service.send(.GET, "/v1/sightings/\(publicID ?? id)", headers: position)
        switch wish {
        case "open": #expect(seen.number("latitude") == 47.6577 && publicID == id)
        case "obscured":
            #expect(seen.number("latitude") == 47.65 && seen.number("longitude") == -122.45 && publicID != id)
        default: #expect(seen.status == 404 && publicID != id, "shown before its month is over")
        }
    }

    @Test(arguments: ["from", "to"])
    func `a map of the year 0, which PostgreSQL does not know, is a bad request`(_ name: String) async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        for path in ["/v1/me/findings", "/v1/me/map"] {
            let answer = try await birder.send(.GET, "\(path)?\(name)=0000-01-01")
            #expect(answer.status == 400)
        }
    }

    @Test func `a species that is disturbed at its nest is not shown before its month is over`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let sent = try await birder.submit(Birder.sighting(name: "Spotted Owl", more: #","notes":"at the nest""#))
        let (id, taxon) = (try #require(sent.text("id")), try #require(sent.text("taxon.id")))
        let position = ["Log-Position": try #require(sent.header("Log-Position"))]
        let direct = try await birder.service.send(.GET, "/v1/sightings/\(id)", headers: position)
        #expect(direct.status == 404)
        let map = try await birder.service.send(.GET, "/v1/taxa/\(taxon)/map?zoom=20", headers: position)
        #expect(map.int("records") == 0)
    }

    @Test func `the map has every imported record at every zoom, and none before the import`() async throws {
        let service = try ServedSkein.required
        let file = service.folder + "/varied-thrushes.csv"
        let rows = (0..<1_200).map { number in
            let place = "\(45 + Double(number % 40) / 10),\(-123 + Double(number % 7) / 10)"
            return "t\(number),Ixoreus naevius,\(place),2019-05-0\(number % 9 + 1)"
        }
        let text =
            (["occurrenceID,scientificName,decimalLatitude,decimalLongitude,eventDate"] + rows + ["x,,999,0,2019"])
            .joined(separator: "\r\n")
        try Data(text.utf8).write(to: URL(filePath: file))
        _ = try await service.command(["import", "occurrences", file, "--dataset", "Thrushes", "--republish", "yes"])
        let head = try #require(try await service.send(.GET, "/v1/log").header("Log-Position"))
        let taxa = try await service.send(.GET, "/v1/taxa?q=Ixoreus%20naevius")
        let taxon = try #require(taxa.text("items.0.id"))
        for zoom in [0, 4, 9, 20] {
            let map = try await service.send(
                .GET, "/v1/taxa/\(taxon)/map?zoom=\(zoom)", headers: ["Log-Position": head])
            #expect(map.int("records") == 1_200, "zoom \(zoom)")
        }
        let earlier = try await service.send(.GET, "/v1/taxa/\(taxon)/map?asOf=2020-01-01")
        #expect(earlier.int("records") == 0)
        let unchanged = try await service.send(.GET, "/v1/taxa/\(taxon)/map?zoom=4")
        let tag = try #require(unchanged.header("ETag"))
        let cached = try await service.send(
            .GET, "/v1/taxa/\(taxon)/map?zoom=4", headers: ["If-None-Match": tag])
        #expect(cached.status == 304)
        #expect(try await service.command(["verify"]).contains("ok"))
    }

    @Test func `nobody sees the future, and unknown parameters are named`() async throws {
        let service = try ServedSkein.required
        let taxa = try await service.send(.GET, "/v1/taxa?q=Pacific%20Wren")
        let map = "/v1/taxa/\(try #require(taxa.text("items.0.id")))/map"
        #expect(try await service.send(.GET, map + "?asOf=2126-01-01").status == 422)
        for path in ["/v1/log?x=1", "/v1/regions?x=1", map + "?zom=3"] {
            #expect(try await service.send(.GET, path).status == 400, "\(path)")
        }
        #expect(try await service.send(.DELETE, "/v1/regions").status == 405)
    }
}
