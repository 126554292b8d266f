package import CoreMetrics

/// Takes the metrics that libraries report through swift-metrics into the registry.
///
/// A destroyed metric stays in the registry: a counter that vanished and came back at zero would look like a restart.
package struct RegistryMetricsFactory: MetricsFactory {
    private let registry: MetricRegistry

    /// Reports into a registry.
    package init(_ registry: MetricRegistry) {
        self.registry = registry
    }

    /// Makes it the process's own. To be called once.
    package func bootstrap() {
        MetricsSystem.bootstrap(self)
    }

    /// A counter of the registry, with the dimensions as its labels.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        registry.counter(label, help: Self.help(label), labels: Self.labels(dimensions))
    }

    /// The same counter; the registry's take fractions too.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        registry.counter(label, help: Self.help(label), labels: Self.labels(dimensions))
    }

    /// A gauge of the registry.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        registry.gauge(label, help: Self.help(label), labels: Self.labels(dimensions))
    }

    /// A histogram of the registry, or a gauge of the last value where nothing is to be aggregated.
    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return registry.gauge(label, help: Self.help(label), labels: Self.labels(dimensions)) }
        return registry.histogram(
            label, help: Self.help(label), buckets: Self.sizeBuckets, labels: Self.labels(dimensions))
    }

    /// A histogram of the registry in seconds, which the name's end says.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        registry.histogram(label + "_seconds", help: Self.help(label), labels: Self.labels(dimensions))
    }

    /// Nothing: a series that was once exposed stays in the registry.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Nothing, as for a counter.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Nothing, as for a counter.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Nothing, as for a counter.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Nothing, as for a counter.
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Powers of four: what a library records is mostly sizes and lengths of unknown scale.
    private static let sizeBuckets: [Double] = (0...12).map { Double(1 << (2 * $0)) }

    private static func help(_ label: String) -> String { "\(label), as a library reports it." }

    private static func labels(_ dimensions: [(String, String)]) -> MetricLabels {
        dimensions.map { (name: $0.0, value: $0.1) }
    }
}

extension MetricCounter: CounterHandler, FloatingPointCounterHandler {
    package func increment(by amount: Int64) {
        add(Double(amount))
    }

    package func increment(by amount: Double) {
        add(amount)
    }
}

extension MetricGauge: MeterHandler, RecorderHandler {
    package func set(_ value: Int64) {
        set(to: Double(value))
    }

    package func set(_ value: Double) {
        set(to: value)
    }

    package func increment(by amount: Double) {
        add(amount)
    }

    package func decrement(by amount: Double) {
        add(-amount)
    }

    package func record(_ value: Int64) {
        set(to: Double(value))
    }

    package func record(_ value: Double) {
        set(to: value)
    }
}

extension MetricHistogram: RecorderHandler, TimerHandler {
    package func record(_ value: Int64) {
        observe(Double(value))
    }

    package func record(_ value: Double) {
        observe(value)
    }

    package func recordNanoseconds(_ duration: Int64) {
        observe(Double(duration) / 1e9)
    }
}
