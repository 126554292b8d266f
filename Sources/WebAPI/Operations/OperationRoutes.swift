import HTTPTypes
import Hummingbird
import JSON
import NIOCore
package import Web

/// `/healthz` and `/readyz` for load balancers: status only, because faults and the number of events are not public.
package struct HealthRoutes: RouteGroup {
    let readiness: any ReadinessReporting

    package var routes: [Route] {
        [
            Route(.get, "/healthz", .operators) { _, _ in Self.health(readiness) },
            Route(.get, "/readyz", .anyone) { _, _ in await ready() },
        ]
    }

    /// Shows that the process answers. The database is not queried: if it is unavailable, killing the process would not
    /// help. Only a log that has moved makes it fail.
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
