import NIOConcurrencyHelpers

/// One series of a family.
protocol MetricSeries: AnyObject, Sendable {
    /// Appends the series' lines.
    /// - Parameter labels: `a="b",c="d"`, without braces; may be empty.
    func expose(name: String, labels: String, to text: inout String)
}

/// The value of a sample.
final class FixedSeries: MetricSeries {
    private let value: Double

    init(value: Double) {
        self.value = value
    }

    func expose(name: String, labels: String, to text: inout String) {
        text += MetricText.line(name, labels, value)
    }
}

/// A number that goes up and down.
package final class MetricGauge: MetricSeries {
    private let value = NIOLockedValueBox<Double>(0)

    /// Adds a number, which may be negative.
    package func add(_ amount: Double) {
        value.withLockedValue { $0 += amount }
    }

    func expose(name: String, labels: String, to text: inout String) {
        text += MetricText.line(name, labels, value.withLockedValue { $0 })
    }
}

/// A histogram: counts of values in fixed buckets, their number and their sum.
package final class MetricHistogram: MetricSeries {
    /// Seconds, from half a millisecond to ten seconds: for the durations of requests and of their waits.
    package static let latencyBuckets: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private struct State {
        /// One more than there are bounds: the last is for everything above.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let buckets: [Double]
    private let state: NIOLockedValueBox<State>

    init(buckets: [Double]) {
        self.buckets = buckets
        state = NIOLockedValueBox(State(counts: Array(repeating: 0, count: buckets.count + 1)))
    }

    /// Adds a value.
    package func observe(_ value: Double) {
        guard !value.isNaN else { return }
        let index = buckets.firstIndex { value <= $0 } ?? buckets.count
        state.withLockedValue { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    /// Adds a time, in seconds.
    package func observe(_ duration: Duration) {
        observe(duration / .seconds(1))
    }

    /// The number of values.
    package var count: UInt64 { state.withLockedValue { $0.counts.reduce(0, +) } }

    func expose(name: String, labels: String, to text: inout String) {
        let snapshot = state.withLockedValue { $0 }
        let separator = labels.isEmpty ? "" : ","
        var cumulative: UInt64 = 0
        for (index, count) in snapshot.counts.enumerated() {
            cumulative += count
            let bound = index < buckets.count ? MetricText.number(buckets[index]) : "+Inf"
            text += "\(name)_bucket{\(labels)\(separator)le=\"\(bound)\"} \(cumulative)\n"
        }
        text += MetricText.line(name + "_sum", labels, snapshot.sum)
        text += MetricText.line(name + "_count", labels, Double(cumulative))
    }
}
