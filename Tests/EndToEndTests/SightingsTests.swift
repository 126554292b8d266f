import Foundation
import NIOHTTP1
import Testing

extension EndToEndTests {
    @Test func `a sighting is answered, found again by its key, and read back`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let key = UUID()
        let first = try await birder.submit(key: key)
        let id = try #require(first.text("id"))
        #expect(first.status == 201)
        #expect(first.header("Location") == "/v1/me/findings/\(id)")
        #expect(first.text("taxon.scientificName") == "Troglodytes pacificus")
        #expect(first.text("state") == "US-WA" && first.text("region") == "pacific-northwest")
        #expect(first.text("status") == "pending")
        let again = try await birder.submit(key: key)
        #expect(again.status == 201 && again.body == first.body)
        #expect(again.header("ETag") == first.header("ETag"))
        let other = try await birder.submit(Birder.sighting(name: "Song Sparrow"), key: key)
        #expect(other.status == 422 && other.problem == "idempotency-key-reused")
        let list = try await birder.send(
            .GET, "/v1/me/findings", headers: ["Log-Position": try #require(first.header("Log-Position"))])
        #expect(list.count("items") == 1 && list.text("items.0.id") == id)
        #expect(try await birder.send(.GET, "/v1/me/findings/\(id)").body == first.body)
    }

    @Test func `the id of something else is not the id of a finding`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let taxon = try #require(try await birder.submit().text("taxon.id"))
        let account = try #require(try await birder.send(.GET, "/v1/me").text("id"))
        for id in [taxon, account] {
            let path = "/v1/me/findings/\(id)"
            let tag = ["If-Match": "*"]
            #expect(try await birder.send(.GET, path).status == 404)
            #expect(try await birder.send(.GET, path + "/history").status == 404)
            #expect(try await birder.send(.PATCH, path, headers: tag, json: #"{"count":3}"#).status == 404)
            #expect(try await birder.send(.DELETE, path, headers: tag).status == 404)
            #expect(try await birder.send(.GET, "/v1/sightings/\(id)").status == 404)
        }
        #expect(try await birder.send(.GET, "/v1/taxa/\(account)").status == 404)
    }

    @Test func `a body whose framing cannot be read is a bad request, not a fault of ours`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let request =
            #"POST /v1/sightings HTTP/1.1\r\nHost: skein\r\nAuthorization: Bearer \#(birder.token)\r\n"#
            + #"Content-Type: application/json\r\nIdempotency-Key: \#(UUID())\r\n"#
            + #"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}"#
        #expect(try await birder.service.raw(request).hasPrefix("HTTP/1.1 400"))
        #expect(try await birder.send(.GET, "/v1/me").status == 200)
    }

    @Test func `without a key nothing is recorded`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let answer = try await birder.send(.POST, "/v1/sightings", key: nil, json: Birder.sighting())
        #expect(answer.status == 400 && answer.problem == "idempotency-key-required")
    }

    @Test func `all faults of a sighting at once, each with its pointer`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let answer = try await birder.submit(
            #"{"name":"Pacific Wren","count":0,"confidence":11,"observedAt":"2126-05-01","latitude":0,"longitude":0,"#
                + #""licence":"GPL","uncertaintyMetres":0,"cuont":1}"#)
        #expect(answer.status == 422)
        let expected: Set = [
            "/count", "/confidence", "/observedAt", "/latitude", "/licence", "/uncertaintyMetres", "/cuont",
        ]
        #expect(answer.faults == expected)
    }

    @Test func `a name that fits no taxon is kept, with suggestions each time; strictly it is rejected`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let (key, body) = (UUID(), Birder.sighting(name: "Pacific Wrenn"))
        let kept = try await birder.submit(body, key: key)
        #expect(kept.status == 201 && kept["taxon"] == nil && kept.text("verbatimName") == "Pacific Wrenn")
        #expect(try #require(kept.count("suggestions")) > 0)
        #expect(try await birder.submit(body, key: key).body == kept.body)
        let strict = try await birder.send(
            .POST, "/v1/sightings", headers: ["Prefer": "handling=strict"], json: body)
        #expect(strict.status == 422 && strict.faults == ["/name"])
    }

    @Test func `a correction needs the version it corrects, and null clears`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let first = try await birder.submit(Birder.sighting(more: #","notes":"by the creek""#))
        let path = "/v1/me/findings/\(try #require(first.text("id")))"
        let tag = try #require(first.header("ETag"))
        let patch = #"{"notes":null,"count":3}"#
        #expect(try await birder.send(.PATCH, path, json: patch).status == 428)
        let corrected = try await birder.send(.PATCH, path, headers: ["If-Match": tag], json: patch)
        #expect(corrected.status == 200 && corrected.int("count") == 3 && corrected["notes"] == nil)
        #expect(try await birder.send(.PATCH, path, headers: ["If-Match": tag], json: patch).status == 412)
        let both = #"{"name":"Song Sparrow","taxonId":null}"#
        #expect(try await birder.send(.PATCH, path, headers: ["If-Match": "*"], json: both).faults == ["/name"])
        let history = try await birder.send(
            .GET, path + "/history", headers: ["Log-Position": try #require(corrected.header("Log-Position"))])
        #expect(history.count("items") == 2)
    }

    @Test(arguments: ["mistake", "privacy"])
    func `what is taken back leaves a tombstone; for privacy, nothing`(reason: String) async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let key = UUID()
        let id = try #require(try await birder.submit(key: key).text("id"))
        let gone = try await birder.send(
            .DELETE, "/v1/me/findings/\(id)?reason=\(reason)", headers: ["If-Match": "*"])
        #expect(gone.status == 204)
        #expect(try await birder.submit(key: key).problem == "withdrawn")
        let seen = try await birder.service.send(
            .GET, "/v1/sightings/\(id)", headers: ["Log-Position": try #require(gone.header("Log-Position"))])
        #expect(seen.status == (reason == "privacy" ? 410 : 200))
        if reason == "mistake" { #expect(seen.text("status") == "withdrawn" && seen["latitude"] == nil) }
    }

    @Test func `what was taken back as a mistake can be hidden afterwards`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let sent = try await birder.submit()
        let id = try #require(sent.text("id"))
        let path = "/v1/me/findings/\(id)"
        #expect(try await birder.send(.DELETE, path, headers: ["If-Match": "*"]).status == 204)
        let hidden = try await birder.send(.DELETE, path + "?reason=privacy", headers: ["If-Match": "*"])
        #expect(hidden.status == 204)
        let now = ["Log-Position": try #require(hidden.header("Log-Position"))]
        #expect(try await birder.service.send(.GET, "/v1/sightings/\(id)", headers: now).status == 410)
    }

    @Test func `a sighting whose payload was redacted is gone, for reading and for changing`() async throws {
        let service = try ServedSkein.required
        let birder = try await Birder.register(service)
        let sent = try await birder.submit()
        let id = try #require(sent.text("id"))
        let path = "/v1/me/findings/\(id)"
        let patched = try await birder.send(.PATCH, path, headers: ["If-Match": "*"], json: #"{"count":3}"#)
        #expect(patched.status == 200)
        let position = try await service.position(of: id)
        _ = try await service.command(["redact", "--position", "\(position)", "--reason", "place"])
        #expect(try await birder.send(.GET, path).status == 410)
        let again = try await birder.send(.PATCH, path, headers: ["If-Match": "*"], json: #"{"count":4}"#)
        #expect(again.status == 410)
        #expect(try await birder.send(.DELETE, path, headers: ["If-Match": "*"]).status == 410)
    }

    @Test func `another's finding is not there`() async throws {
        let service = try ServedSkein.required
        let (owner, other) = (try await Birder.register(service), try await Birder.register(service))
        let id = try #require(try await owner.submit().text("id"))
        for path in ["/v1/me/findings/\(id)", "/v1/me/findings/\(id)/history"] {
            #expect(try await other.send(.GET, path).status == 404)
        }
        let patch = try await other.send(
            .PATCH, "/v1/me/findings/\(id)", headers: ["If-Match": "*"], json: #"{"count":9}"#)
        #expect(patch.status == 404)
    }

    @Test func `each item of a batch has a result of its own; faults point into the batch`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        let (used, bad) = (UUID(), UUID())
        let first = try await birder.submit(key: used)
        let items = [
            #"{"key":"\#(used)","sighting":\#(Birder.sighting())}"#,
            #"{"key":"\#(bad)","sighting":\#(Birder.sighting(more: #","taxonId":"\#(UUID())""#))}"#,
            #"{"key":"none","sighting":{"count":1}}"#,
        ]
        let answer = try await birder.send(
            .POST, "/v1/sightings/batch", key: nil, json: #"{"items":[\#(items.joined(separator: ","))]}"#)
        #expect(answer.status == 200)
        #expect(answer.text("items.0.sighting.id") == first.text("id"))
        #expect(answer.int("items.1.status") == 422)
        #expect(answer.text("items.1.problem.errors.0.pointer") == "/items/1/sighting/name")
        let faults = (answer["items.2.problem.errors"] as? [[String: Any]] ?? []).compactMap {
            $0["pointer"] as? String
        }
        #expect(Set(faults).isSuperset(of: ["/items/2/key", "/items/2/sighting/confidence"]), "\(faults)")
        let tooMany = Array(repeating: items[0], count: 101).joined(separator: ",")
        let rejected = try await birder.send(
            .POST, "/v1/sightings/batch", key: nil, json: #"{"items":[\#(tooMany)]}"#)
        #expect(rejected.status == 422 && rejected.faults == ["/items"])
    }

    @Test func `pages hold every finding once`() async throws {
        let birder = try await Birder.register(try ServedSkein.required)
        var position = ""
        for _ in 0..<7 { position = try #require(try await birder.submit().header("Log-Position")) }
        var (seen, after): ([String], String?) = ([], nil)
        repeat {
            let page = try await birder.send(
                .GET, "/v1/me/findings?limit=3" + (after.map { "&after=\($0)" } ?? ""),
                headers: ["Log-Position": position])
            seen += (page["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            after = page.text("next")
        } while after != nil
        #expect(seen.count == 7 && Set(seen).count == 7)
        #expect(try await birder.send(.GET, "/v1/me/findings?limit=+3").status == 400)
    }
}
