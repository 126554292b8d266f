internal import NIOConcurrencyHelpers

/// A number that only grows.
package final class MetricCounter: MetricSeries {
    private let total = NIOLockedValueBox<Double>(0)

    /// Adds to it; what is negative or no number is ignored.
    package func add(_ amount: Double = 1) {
        guard amount >= 0 else { return }
        total.withLockedValue { $0 += amount }
    }

    /// The number.
    package var value: Double { total.withLockedValue { $0 } }

    /// Starts again from zero, as swift-metrics lets a library ask.
    package func reset() {
        total.withLockedValue { $0 = 0 }
    }

    func expose(name: String, labels: String, to text: inout String) {
        text += MetricText.line(name, labels, value)
    }
}

/// A number that goes up and down.
package final class MetricGauge: MetricSeries {
    private let present = NIOLockedValueBox<Double>(0)

    /// Sets it.
    package func set(to value: Double) {
        present.withLockedValue { $0 = value }
    }

    /// Adds to it, or takes from it when negative.
    package func add(_ amount: Double) {
        present.withLockedValue { $0 += amount }
    }

    /// The number.
    package var value: Double { present.withLockedValue { $0 } }

    func expose(name: String, labels: String, to text: inout String) {
        text += MetricText.line(name, labels, value)
    }
}
