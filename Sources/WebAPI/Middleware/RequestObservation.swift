internal import HTTPTypes
package import Hummingbird
package import Logging

/// Counts and times every request, and writes one line of the log about it.
///
/// Both name the route by its template: a raw path holds ids and a query holds places, which belong in neither. Tokens
/// and bodies are never looked at. What went wrong inside is the business of ``ProblemMiddleware``, which runs within.
package struct RequestObservation: RouterMiddleware {
    private let metrics: RequestMetrics
    private let level: Logger.Level

    /// Begins to observe.
    /// - Parameter level: the level of the line about a request that did not fail.
    package init(metrics: RequestMetrics, level: Logger.Level = .info) {
        self.metrics = metrics
        self.level = level
    }

    /// Times the request on its way; one that throws is not recorded, which ``ProblemMiddleware`` prevents.
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
        let level = status.kind == .serverError ? Logger.Level.warning : level
        guard context.logger.logLevel <= level else { return }
        context.logger.log(
            level: level, "request",
            metadata: [
                "method": .string(request.method.rawValue), "route": .string(route),
                "status": .stringConvertible(status.code),
                "milliseconds": .stringConvertible(duration.wholeMicroseconds / 1000),
            ])
    }
}

extension Duration {
    /// Microseconds, with what is finer dropped.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
