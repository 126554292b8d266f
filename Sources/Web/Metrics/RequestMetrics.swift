import HTTPTypes
import NIOConcurrencyHelpers

/// Requests by method, route template and status, with the time each took.
package final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private let registry: MetricRegistry
    private let active: MetricGauge
    /// The series used so far; there are few routes, so this stays small.
    private let histograms = NIOLockedValueBox<[Key: MetricHistogram]>([:])

    /// Starts counting into a registry.
    package init(_ registry: MetricRegistry) {
        self.registry = registry
        active = registry.gauge("skein_http_requests_active", help: "Requests being handled now.")
    }

    func began() {
        active.add(1)
    }

    func ended() {
        active.add(-1)
    }

    /// Counts a request.
    func record(method: HTTPRequest.Method, route: String, status: HTTPResponse.Status, duration: Duration) {
        let isKnown = HTTPRequest.Method.known.contains(method)
        let key = Key(method: isKnown ? method.rawValue : "other", route: route, status: status.code)
        histogram(key).observe(duration)
    }

    private func histogram(_ key: Key) -> MetricHistogram {
        if let histogram = histograms.withLockedValue({ $0[key] }) { return histogram }
        let histogram = registry.histogram(
            "skein_http_request_duration_seconds", help: "Time from a request's head to its answer.",
            labels: [("method", key.method), ("route", key.route), ("status", String(key.status))])
        histograms.withLockedValue { $0[key] = histogram }
        return histogram
    }
}
