import NIOHTTP1
import Testing

extension EndToEndTests {
    @Test func `metrics and checks are on the operations listener only`() async throws {
        let service = try ServedSkein.required
        let bare = try await service.send(.GET, "/readyz")
        #expect(bare.status == 200 && String(decoding: bare.body, as: UTF8.self) == #"{"status":"ready"}"#)
        #expect(try await service.send(.GET, "/metrics").status == 404)
        #expect(try await service.operations("/readyz").text("checks.0.name") == "database")
        let metrics = try await service.operations("/metrics")
        #expect(String(decoding: metrics.body, as: UTF8.self).contains("skein_log_head "))
        #expect(try await service.operations("/v1/taxa").status == 404)
    }
}
