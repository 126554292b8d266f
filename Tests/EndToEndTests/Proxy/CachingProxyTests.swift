import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Restrictions act within five minutes through a cache that keeps what it may, as `docs/privacy.md` says.
@Suite(.served, .serialized)
struct CachingProxyTests {
    /// In seconds.
    private static let limit = 300

    @Test func `what is hidden, withdrawn or raised is gone from nginx's cache within five minutes`() async throws {
        let service = try ServedSkein.required
        let (owner, moderator) = try await Self.people(service)
        let hidden = try await PublishedPhoto(of: "Song Sparrow", by: owner, moderator, isPhotoOnly: true)
        let withdrawn = try await PublishedPhoto(of: "Steller's Jay", by: owner, moderator)
        let raised = try await PublishedPhoto(of: "Pacific Wren", by: owner, moderator)
        let shown = hidden.shown + withdrawn.shown + raised.shown
        try await CachingNginx.run(before: service) { nginx in
            try await Self.fill(nginx, shown)
            try await hidden.hide()
            try await withdrawn.withdraw()
            try await Self.raise("Troglodytes pacificus", service)
            try await Self.expectGone(shown, service)
            try await Self.expectHits(nginx, shown)
            try nginx.setClock(ahead: Self.limit)
            for (path, text) in shown {
                let answer = try await nginx.get(path)
                #expect(!answer.shows(text) && answer.status < 500, "\(path): \(answer.status)")
            }
        }
    }

    @Test func `while the service is down nginx answers with an error, not with what was hidden`() async throws {
        let service = try ServedSkein.required
        let (owner, moderator) = try await Self.people(service)
        let hidden = try await PublishedPhoto(of: "Song Sparrow", by: owner, moderator, isPhotoOnly: true)
        try await CachingNginx.run(before: service) { nginx in
            try await Self.fill(nginx, hidden.shown)
            try await hidden.hide()
            try await Self.expectGone(hidden.shown, service)
            await service.stop(SIGTERM)
            try await Self.expectHits(nginx, hidden.shown)
            try nginx.setClock(ahead: Self.limit)
            for (path, _) in hidden.shown { #expect(try await nginx.get(path).status == 502, "\(path)") }
        }
        try await service.start()
    }

    @Test func `a read that must reflect a write goes past the cache`() async throws {
        let service = try ServedSkein.required
        let (owner, _) = try await Self.people(service)
        let sighting = try #require(try await owner.submit(Birder.sighting(name: "Song Sparrow")).text("id"))
        try await CachingNginx.run(before: service) { nginx in
            let shown = [(path: "/v1/sightings/\(sighting)", text: #""count":2"#)]
            // The response that there is none would be cached, too.
            try await until("it is not public") { try await service.send(.GET, shown[0].path).status == 200 }
            try await Self.fill(nginx, shown)
            let corrected = try await owner.send(
                .PATCH, "/v1/me/findings/\(sighting)", headers: ["If-Match": "*"], json: #"{"count":3}"#)
            try await Self.expectHits(nginx, shown)
            let headers = [
                "Cache-Control": "no-cache", "Log-Position": try #require(corrected.header("Log-Position")),
            ]
            #expect(try await nginx.get(shown[0].path, headers: headers).int("count") == 3)
        }
    }

    @Test func `photos and resumable uploads pass through nginx`() async throws {
        let service = try ServedSkein.required
        let (owner, _) = try await Self.people(service)
        let sighting = try #require(try await owner.submit().text("id"))
        // Larger than the megabyte that nginx takes by itself.
        let photo = Array(TestPhoto.jpeg) + [UInt8](repeating: 0, count: 2_000_000)
        try await CachingNginx.run(before: service) { nginx in
            func send(_ method: HTTPMethod, _ path: String, _ headers: [String: String], _ body: ArraySlice<UInt8>)
                async throws -> Answer
            {
                let headers = headers.merging(["Idempotency-Key": UUID().uuidString]) { $1 }
                return try await nginx.send(method, path, token: owner.token, headers: headers, body: Array(body))
            }
            let photos = "/v1/me/findings/\(sighting)/photos"
            let whole = try await send(.POST, photos, ["Content-Type": "image/jpeg"], photo[...])
            #expect(whole.status == 201)
            let begun = try await send(
                .POST, photos, ["Content-Type": "image/jpeg", "Upload-Complete": "?0"], photo[..<1_500_000])
            let upload = try #require(begun.header("Location"), "\(begun.status)")
            let rest = [
                "Content-Type": "application/partial-upload", "Upload-Offset": "1500000", "Upload-Complete": "?1",
            ]
            #expect(try await send(.PATCH, upload, rest, photo[1_500_000...]).text("sha256") == whole.text("sha256"))
        }
    }

    @Test func `events pass through nginx as they come`() async throws {
        let service = try ServedSkein.required
        let (owner, moderator) = try await Self.people(service)
        let sighting = try #require(try await owner.submit().text("id"))
        try await CachingNginx.run(before: service) { nginx in
            var stream = try await OpenStream(nginx.url("/v1/me/events"), owner.token, headers: CachingNginx.host)
            #expect(try await stream.text(until: "\n\n").hasPrefix("retry: "))
            let decided = try await moderator.send(
                .POST, "/v1/moderation/sightings/\(sighting)/decisions", headers: ["If-Match": "*"],
                json: #"{"decision":"approve"}"#)
            #expect(decided.status == 200)
            #expect(try await stream.text(until: sighting).contains("event: approved\n"))
        }
    }

    private static func people(_ service: ServedSkein) async throws -> (owner: Birder, moderator: Birder) {
        (try await .register(service), try await .register(service, role: "moderator"))
    }

    /// An operator makes a taxon sensitive.
    private static func raise(_ taxon: String, _ service: ServedSkein) async throws {
        let file = service.folder + "/sensitivity.tsv"
        try Data("scientificName\tcategory\treason\tsource\n\(taxon)\t2\tnests\ta list\n".utf8)
            .write(to: URL(filePath: file))
        #expect(try await service.command(["import", "sensitivity", file]).contains("taxa set            1"))
    }

    private static func fill(_ nginx: CachingNginx, _ shown: [(path: String, text: String)]) async throws {
        for (path, text) in shown { #expect(try await nginx.get(path).shows(text), "\(path)") }
        try await expectHits(nginx, shown)
    }

    private static func expectHits(_ nginx: CachingNginx, _ shown: [(path: String, text: String)]) async throws {
        for (path, text) in shown {
            let answer = try await nginx.get(path)
            #expect(answer.shows(text) && answer.header("X-Cache-Status") == "HIT", "\(path)")
        }
    }

    /// The service itself shows it no more, once it has followed the log.
    private static func expectGone(_ shown: [(path: String, text: String)], _ service: ServedSkein) async throws {
        let head = try #require(try await service.send(.GET, "/v1/log").header("Log-Position"))
        for (path, text) in shown {
            let answer = try await service.send(.GET, path, headers: ["Log-Position": head])
            #expect(!answer.shows(text), "\(path)")
        }
    }
}
