import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Asks a service for its liveness or readiness.
enum HealthCheck: String {
    /// Liveness: it answers.
    case alive = "/healthz"
    /// Readiness: it has all that it needs, and its read models have caught up.
    case ready = "/readyz"

    func passes(port: Int) async -> Bool {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(rawValue)")
        let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(2))
        return response?.status == .ok
    }
}
