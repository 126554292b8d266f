import FileLocks
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import PrivateServer

@Suite(.served, .serialized)
struct RestartTests {
    /// Every acknowledged sighting exists once, and a retry with its key finds it.
    private func expectAll(_ keys: [UUID: String], of birder: Birder) async throws {
        for (key, id) in keys { #expect(try await birder.submit(key: key).text("id") == id) }
        let head = try #require(try await birder.service.send(.GET, "/v1/log").header("Log-Position"))
        let list = try await birder.send(.GET, "/v1/me/findings?limit=200", headers: ["Log-Position": head])
        let ids = (list["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        #expect(ids.count == keys.count && Set(ids) == Set(keys.values))
    }

    private func submit(_ count: Int, by birder: Birder) async throws -> [UUID: String] {
        var keys: [UUID: String] = [:]
        for _ in 0..<count {
            let key = UUID()
            let id: String = try #require(try await birder.submit(key: key).text("id"))
            keys[key] = id
        }
        return keys
    }

    @Test func `the service, by force`() async throws {
        let service = try ServedSkein.required
        let birder = try await Birder.register(service)
        let keys = try await submit(20, by: birder)
        await service.stop(SIGKILL)
        try await service.start()
        try await expectAll(keys, of: birder)
        #expect(try await service.command(["verify"]).contains("ok"))
    }

    @Test func `its PostgreSQL, by force: the service starts it again`() async throws {
        let service = try ServedSkein.required
        let birder = try await Birder.register(service)
        let keys = try await submit(20, by: birder)
        let home = service.folder + "/data/postgres"
        let file = try String(contentsOfFile: home + "/data/postmaster.pid", encoding: .utf8)
        let postmaster = try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        // Under this lock the service cannot start it again before it has been seen without one.
        let starting = try FileLock(home + "/start.lock")
        try await starting.lock(.exclusive, withinSeconds: HeldLocks.startTimeout)
        kill(postmaster, SIGQUIT)
        #expect(try await service.lostReadiness() == 503)
        #expect(try await service.send(.GET, "/healthz").status == 200)
        let read = try await birder.send(.GET, "/v1/me/findings")
        #expect(read.status == 200 || read.status == 503 && read.header("Retry-After") != nil)
        starting.unlock()
        try await service.becomeReady()
        try await expectAll(keys, of: birder)
    }

    @Test func `a start removes the folders of caches that a process ended by force has left`() async throws {
        let service = try ServedSkein.required
        func claimed() throws -> [[String]] {
            try ["webp", "guarded"].map { name in
                try FileManager.default.contentsOfDirectory(atPath: service.folder + "/data/" + name)
                    .filter { $0 != "lock" }
            }
        }
        let before = try claimed()
        await service.stop(SIGKILL)
        try await service.start()
        let after = try claimed()
        #expect((before + after).allSatisfy { $0.count == 1 })
        #expect(zip(before, after).allSatisfy { $0 != $1 })
    }

    @Test func `an upload goes on where it was cut, after the service was ended by force`() async throws {
        let service = try ServedSkein.required
        let birder = try await Birder.register(service)
        let sighting = try #require(try await birder.submit().text("id"))
        let photo = Array(TestPhoto.jpeg)
        let begun = try await birder.addPhoto(to: sighting, Array(photo[..<100]), headers: ["Upload-Complete": "?0"])
        let upload = try #require(begun.header("Location"))
        await service.stop(SIGKILL)
        try await service.start()
        #expect(try await birder.send(.HEAD, upload).header("Upload-Offset") == "100")
        let added = try await service.send(
            .PATCH, upload, token: birder.token,
            headers: [
                "Content-Type": "application/partial-upload", "Upload-Offset": "100", "Upload-Complete": "?1",
            ], body: Array(photo[100...]))
        let id = try #require(added.text("id"))
        let original = try await birder.send(.GET, "/v1/me/photos/\(id)/original")
        #expect(original.body == TestPhoto.jpeg)
    }
}
