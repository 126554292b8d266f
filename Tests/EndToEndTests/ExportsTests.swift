import Foundation
import NIOHTTP1
import TestSupport
import Testing

struct ExportsTests {
    private static let settings = [
        "SKEIN_PUBLIC_URL": "https://sightings.example.org", "SKEIN_ORGANISATION": "Wren Society",
        "SKEIN_CONTACT": "data@example.org",
    ]

    private func ready(_ service: ServedSkein, _ id: String) async throws -> Answer {
        try await until("the export is not made") {
            try await service.send(.GET, "/v1/exports/\(id)").text("state") == "ready"
        }
        return try await service.send(.GET, "/v1/exports/\(id)/data")
    }

    @Test func `an export is made by the service, also by one that was killed, and kept by the next`() async throws {
        try await ServedSkein.run(Self.settings) { service in
            let birder = try await Birder.register(service)
            _ = try await birder.submit()
            let asked = try await birder.send(.POST, "/v1/exports", json: #"{"format":"dwca"}"#)
            #expect(asked.status == 202, "\(String(decoding: asked.body, as: UTF8.self))")
            let id = try #require(asked.text("id"))
            await service.stop(SIGKILL)
            try await service.start()
            let data = try await ready(service, id)
            #expect(data.status == 200 && data.header("Repr-Digest")?.hasPrefix("sha-256=:") == true)
            #expect(data.body.prefix(2) == Data("PK".utf8))
            await service.stop(SIGTERM)
            // The bytes are gone: they are made again.
            try FileManager.default.removeItem(atPath: service.folder + "/data/exports")
            try await service.start()
            try await until("the missing bytes are not noticed") {
                try await service.send(.GET, "/v1/exports/\(id)/data").problem == "export-not-ready"
            }
            let again = try await ready(service, id)
            #expect(again.body == data.body)
        }
    }
}
