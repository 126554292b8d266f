import NIOHTTP1
import Testing

extension EndToEndTests {
    @Test func `a request is a line in the log, with its time in UTC wherever the server is`() async throws {
        let service = try ServedSkein.required
        _ = try await service.send(.GET, "/healthz", headers: ["X-Request-Id": "seen-in-the-log"])
        // It is written when the answer is on its way.
        try await service.logged("seen-in-the-log")
        let lines = service.log.split(separator: "\n").filter { $0.contains("seen-in-the-log") }
        #expect(lines.count == 1, "\(service.log)")
        let parts = (lines.first ?? "").split(separator: " ")
        #expect(parts.first?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
        #expect(
            parts.dropFirst().filter { !$0.hasPrefix("milliseconds=") } == [
                "info", "skein:", "hb.request.id=seen-in-the-log", "method=GET", "route=/healthz", "status=200",
                "[Web]", "request",
            ])
    }
}
