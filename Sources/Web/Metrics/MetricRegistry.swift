import NIOConcurrencyHelpers

/// Every metric of the process, and their text for Prometheus.
///
/// A metric is a family of one name, kind and help text, with a series for each combination of labels. Asking for a
/// series makes it; keep it, because finding it again takes a lock. The registry is our own because swift-prometheus is
/// not to be had where Skein is built.
/// - Source: Prometheus exposition formats, text format 0.0.4.
package final class MetricRegistry: Sendable {
    private let families = NIOLockedValueBox<[String: MetricFamily]>([:])
    private let collectors = NIOLockedValueBox<[@Sendable () async -> [MetricSample]]>([])

    /// Starts without metrics.
    package init() {}

    /// A number that goes up and down.
    package func gauge(_ name: String, help: String, labels: MetricLabels = []) -> MetricGauge {
        series(name, .gauge, help, labels) { MetricGauge() } ?? MetricGauge()
    }

    /// A distribution over fixed buckets.
    /// - Parameter buckets: upper bounds, ascending, without infinity; all series of a name have the first one's.
    package func histogram(
        _ name: String, help: String, buckets: [Double] = MetricHistogram.latencyBuckets, labels: MetricLabels = []
    ) -> MetricHistogram {
        series(name, .histogram, help, labels) { MetricHistogram(buckets: buckets) }
            ?? MetricHistogram(buckets: buckets)
    }

    /// Adds a source of samples, called at every scrape.
    package func collect(_ samples: @escaping @Sendable () async -> [MetricSample]) {
        collectors.withLockedValue { $0.append(samples) }
    }

    /// All metrics in the text format.
    package func exposition() async -> String {
        var snapshot = families.withLockedValue { $0 }
        for collector in collectors.withLockedValue({ $0 }) {
            for sample in await collector() { Self.add(sample, to: &snapshot) }
        }
        return snapshot.sorted { $0.key < $1.key }.map { $0.value.exposition(name: $0.key) }.joined()
    }

    /// Nil if the name is taken by another kind of metric.
    private func series<Series: MetricSeries>(
        _ name: String, _ kind: MetricKind, _ help: String, _ labels: MetricLabels, _ make: () -> Series
    ) -> Series? {
        families.withLockedValue { families in
            var family = families[name] ?? MetricFamily(kind: kind, help: help)
            guard family.kind == kind else { return nil }
            let key = labels.exposition
            if let existing = family.series[key] { return existing as? Series }
            let series = make()
            family.series[key] = series
            families[name] = family
            return series
        }
    }

    private static func add(_ sample: MetricSample, to families: inout [String: MetricFamily]) {
        var family = families[sample.name] ?? MetricFamily(kind: sample.kind, help: sample.help)
        family.series[sample.labels.exposition] = FixedSeries(value: sample.value)
        families[sample.name] = family
    }
}

/// A number of another component at the time of a scrape.
package struct MetricSample: Sendable {
    /// The metric's name.
    package let name: String
    /// Whether it only grows.
    package let kind: MetricKind
    /// The help text, a sentence.
    package let help: String
    /// The labels that distinguish it from others of its name.
    package let labels: MetricLabels
    package let value: Double

    package init(
        _ name: String, _ kind: MetricKind = .gauge, help: String, labels: MetricLabels = [], value: Double
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.value = value
    }
}

/// Kinds of metrics.
package enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// The labels that distinguish a series from others of its name, in a fixed order.
package typealias MetricLabels = [(name: String, value: String)]

/// The series of one name.
struct MetricFamily: Sendable {
    let kind: MetricKind
    let help: String
    /// By the labels' text.
    var series: [String: any MetricSeries] = [:]

    func exposition(name: String) -> String {
        var text = "# HELP \(name) \(Self.escapedHelp(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, series) in series.sorted(by: { $0.key < $1.key }) {
            series.expose(name: name, labels: labels, to: &text)
        }
        return text
    }

    private static func escapedHelp(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}

/// The text format's details.
enum MetricText {
    static func line(_ name: String, _ labels: String, _ value: Double) -> String {
        labels.isEmpty ? "\(name) \(number(value))\n" : "\(name){\(labels)} \(number(value))\n"
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { String($0) } ?? value.description
    }
}

extension MetricLabels {
    /// `a="b",c="d"`.
    var exposition: String {
        map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}
