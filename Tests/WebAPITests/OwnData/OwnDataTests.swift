import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import JSON
import NIOCore
import Testing

@testable import Exchange
@testable import Service
@testable import Web

extension RouteTests {
    /// The entries of the caller's data.
    private func data(of caller: Caller, query: String = "") async throws -> [String: [UInt8]] {
        let response = try await caller.send(.get, "/v1/me/data\(query)")
        try #require(response.status == .ok, "\(String(buffer: response.body))")
        #expect(response.headers[.contentType] == "application/zip")
        #expect(response.headers[.contentDisposition]?.hasSuffix(#"filename="skein-data.zip""#) == true)
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).zip").path
        try Data(Array(buffer: response.body)).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let container = try ArchiveContainer(path: path, kind: .zip, limits: ArchiveLimits())
        var entries: [String: [UInt8]] = [:]
        for file in container.files {
            let source = try container.open(file.name)
            var (content, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
            while case let count = try buffer.withUnsafeMutableBytes({ try source.read(into: $0) }), count > 0 {
                content += buffer[..<count]
            }
            entries[file.name] = content
        }
        return entries
    }

    @Test func `one's own data is everything, withdrawn sightings and original photos included`() async throws {
        let served = try ServedRoutes.required
        let (birder, other) = (try await Caller.register(served), try await Caller.register(served))
        _ = try await other.submit(Caller.sighting(more: #","notes":"of another""#))
        let kept = try #require(
            try await birder.submit(Caller.sighting(more: #","notes":"in the \"salal\", twice""#)).text("id"))
        let withdrawn = try #require(try await birder.submit().text("id"))
        _ = try await birder.send(.delete, "/v1/me/findings/\(withdrawn)", headers: [.ifMatch: "*"])
        let photo = try #require(try await SampleRequests.addPhoto(to: kept, by: birder).text("id"))
        let taxon = try #require(try await birder.send(.get, "/v1/taxa?q=pacific+wren").text("items.0.id"))
        _ = try await birder.send(.put, "/v1/me/favourites/\(taxon)")
        let entries = try await data(of: birder)
        func json(_ name: String) throws -> JSONValue { try JSONValue(parsing: try #require(entries[name])) }
        #expect(try json("account.json")["email"]?.string == birder.email)
        #expect(try json("sightings.json").items.compactMap { $0["id"]?.string } == [kept])
        #expect(try json("withdrawn.json").items.compactMap { $0["id"]?.string } == [withdrawn])
        #expect(try json("photos.json").items.compactMap { $0["id"]?.string } == [photo])
        #expect(try json("favourites.json").items.compactMap { $0["taxon"]?["id"]?.string } == [taxon])
        #expect(try json("notifications.json").items.isEmpty)
        #expect(try json("exports.json").items.isEmpty)
        #expect(entries["photos/\(photo).jpg"] == Array(buffer: TestPhotos.jpeg))
        let table = String(decoding: try #require(entries["sightings.csv"]), as: UTF8.self)
        let rows = table.split(separator: "\r\n")
        #expect(rows.count == 3 && rows[1].hasPrefix(kept) && rows[2].hasPrefix(withdrawn))
        #expect(rows[1].contains(#""in the ""salal"", twice""#) && rows[1].contains("47.6577,-122.4056"))
        #expect(!entries.values.contains { String(decoding: $0, as: UTF8.self).contains("of another") })
    }

    @Test func `photos withdrawn with their sighting for privacy are no longer in the data`() async throws {
        let birder = try await Caller.register(try .required)
        var photos: [String] = []
        for reason in ["mistake", "privacy"] {
            let sighting = try #require(try await birder.submit().text("id"))
            photos.append(try #require(try await SampleRequests.addPhoto(to: sighting, by: birder).text("id")))
            let path = "/v1/me/findings/\(sighting)?reason=\(reason)"
            #expect(try await birder.send(.delete, path, headers: [.ifMatch: "*"]).status == .noContent)
        }
        let entries = try await data(of: birder)
        let listed = try JSONValue(parsing: try #require(entries["photos.json"])).items.compactMap { $0["id"]?.string }
        #expect(listed == [photos[0]])
        #expect(entries.keys.filter { $0.hasPrefix("photos/") } == ["photos/\(photos[0]).jpg"])
        let withdrawn = try JSONValue(parsing: try #require(entries["withdrawn.json"])).items
        #expect(withdrawn.count == 2)
        #expect(Set(withdrawn.compactMap { $0["photos"]?.items.count }) == [0, 1])
    }

    @Test func `photos may be left out, and an account without anything has empty lists`() async throws {
        let birder = try await Caller.register(try .required)
        let sighting = try #require(try await birder.submit().text("id"))
        _ = try await SampleRequests.addPhoto(to: sighting, by: birder)
        #expect(try await data(of: birder, query: "?photos=no").keys.allSatisfy { !$0.hasPrefix("photos/") })
        let wrong = try await birder.send(.get, "/v1/me/data?photos=maybe")
        #expect(try wrong.problem == "invalid-parameter")
        let empty = try await data(of: try await Caller.register(try .required))
        for name in ["sightings", "withdrawn", "photos", "favourites", "notifications", "keys"] {
            #expect(try JSONValue(parsing: try #require(empty["\(name).json"])).items.isEmpty)
        }
    }

    @Test func `texts that were typed about others' records are in the data, without their ids`() async throws {
        let served = try ServedRoutes.required
        let (birder, other) = (try await Caller.register(served), try await Caller.register(served))
        let sent = try await other.submit(Caller.sighting(more: #","notes":"of another""#))
        let (strange, own) = (try #require(try sent.text("id")), try await birder.submit())
        let sighting = try #require(try own.text("id"))
        for notes in ["first words", "better words"] {
            _ = try await birder.send(
                .patch, "/v1/me/findings/\(sighting)", headers: [.ifMatch: "*"], json: #"{"notes":"\#(notes)"}"#)
        }
        _ = try await other.send(.get, "/v1/sightings/\(strange)", headers: try sent.position)
        let flagged = try await birder.send(
            .post, "/v1/sightings/\(strange)/flags",
            json: #"{"reason":"other","note":"a label in view"}"#)
        try #require(flagged.status == .noContent)
        let key = try await birder.send(
            .post, "/v1/me/keys", json: #"{"name":"a script of mine","scopes":["read"]}"#)
        let entries = try await data(of: birder)
        let texts = try JSONValue(parsing: try #require(entries["texts.json"])).items
        let typed = texts.filter { $0["subject"]?.string == "sighting" }.map { $0["text"]?.string }
        #expect(typed == ["Pacific Wren", "first words", "better words", "a label in view"])
        #expect(texts.filter { $0["id"] == .null }.compactMap { $0["field"]?.string } == ["flagNote"])
        #expect(texts.contains { $0["id"]?.string == sighting && $0["field"]?.string == "notes" })
        let secret = try #require(try key.text("key"))
        #expect(String(decoding: try #require(entries["keys.json"]), as: UTF8.self).contains("a script of mine"))
        let sessions = try JSONValue(parsing: try #require(entries["sessions.json"])).items
        #expect(sessions.filter { $0["current"]?.boolean == true }.count == 1)
        for (name, bytes) in entries {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(secret) && !text.contains(strange) && !text.contains("of another"), "\(name)")
            #expect(!text.contains("$scrypt") && !text.contains(Caller.password), "\(name)")
        }
    }
}
