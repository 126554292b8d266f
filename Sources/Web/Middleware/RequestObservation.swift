import HTTPTypes
package import Hummingbird
import Logging

/// Counts and times every request, and writes one line of the log about it.
///
/// Both name the route by its template: a raw path holds ids and a query holds places, which belong in neither. Tokens
/// and bodies are never read. ``ProblemMiddleware``, which runs within, reports errors.
package struct RequestObservation: RouterMiddleware {
    let metrics: RequestMetrics

    /// Times the request. One that throws is not recorded; ``ProblemMiddleware`` prevents that.
    /// - Throws: what the route throws.
    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        metrics.began()
        defer { metrics.ended() }
        let response = try await next(request, context)
        let duration = start.duration(to: .now)
        let route = context.endpointPath ?? "none"
        metrics.record(method: request.method, route: route, status: response.status, duration: duration)
        log(request, context, route, response.status, duration)
        return response
    }

    private func log(
        _ request: Request, _ context: APIContext, _ route: String, _ status: HTTPResponse.Status, _ duration: Duration
    ) {
        let level = status.kind == .serverError ? Logger.Level.warning : .info
        guard context.logger.logLevel <= level else { return }
        context.logger.log(
            level: level, "request",
            metadata: [
                "method": .string(request.method.rawValue), "route": .string(route),
                "status": .stringConvertible(status.code),
                "milliseconds": .stringConvertible(Int(duration / .milliseconds(1))),
            ])
    }
}
