import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// `/healthz`, `/readyz`, `/metrics`: for those who run the service.
package struct OperationRoutes: RouteGroup {
    let readiness: any ReadinessReporting
    let metrics: MetricRegistry

    package var routes: [Route] {
        [
            Route(.get, "/healthz", .operators) { _, _ in Self.health() },
            Route(.get, "/readyz", .operators) { _, _ in await ready() },
            Route(.get, "/metrics", .operators) { _, _ in await exposition() },
        ]
    }

    /// The process answers; nothing else is looked at, so that a database's trouble never gets the process killed.
    private static func health() -> Response {
        .json(Array("{\"status\":\"ok\"}".utf8))
    }

    private func ready() async -> Response {
        let report = await readiness.readiness()
        return .json(JSONWriter.bytes(of: report), status: report.isReady ? .ok : .serviceUnavailable)
    }

    private func exposition() async -> Response {
        let text = await metrics.exposition()
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
