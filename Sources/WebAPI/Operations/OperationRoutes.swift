import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// `/healthz` and `/readyz` for load balancers: what is wrong, and how many events there are, is not public.
package struct HealthRoutes: RouteGroup {
    let readiness: any ReadinessReporting

    package var routes: [Route] {
        [
            Route(.get, "/healthz", .operators) { _, _ in Self.health(readiness) },
            Route(.get, "/readyz", .anyone) { _, _ in await ready() },
        ]
    }

    /// The process answers; the database is not asked, so that its trouble never gets the process killed. Only a log
    /// that has moved does.
    static func health(_ readiness: any ReadinessReporting) -> Response {
        readiness.isEnding
            ? .json(Array("{\"status\":\"ending\"}".utf8), status: .serviceUnavailable)
            : .json(Array("{\"status\":\"ok\"}".utf8))
    }

    private func ready() async -> Response {
        let report = await readiness.readiness()
        return .json(Array("{\"status\":\"\(report.word)\"}".utf8), status: report.httpStatus)
    }
}

/// `/healthz`, `/readyz` in detail and `/metrics`, on the operations listener.
package struct OperationRoutes: RouteGroup {
    let readiness: any ReadinessReporting
    let metrics: MetricRegistry

    package var routes: [Route] {
        [
            Route(.get, "/healthz", .operators) { _, _ in HealthRoutes.health(readiness) },
            Route(.get, "/readyz", .operators) { _, _ in await ready() },
            Route(.get, "/metrics", .operators) { _, _ in await exposition() },
        ]
    }

    private func ready() async -> Response {
        let report = await readiness.readiness()
        return .json(JSONWriter.bytes(of: report), status: report.httpStatus)
    }

    private func exposition() async -> Response {
        let text = await metrics.exposition()
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension ReadinessReport {
    fileprivate var httpStatus: HTTPResponse.Status { isReady ? .ok : .serviceUnavailable }
}
