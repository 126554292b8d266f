import CoreMetrics
import Testing

@testable import WebAPI

@Suite("Metrics as text")
struct MetricRegistryTests {
    @Test("families have help and type once, and series sorted")
    func exposition() async {
        let registry = MetricRegistry()
        registry.counter("b_total", help: "Things\nhappened \\.", labels: [("kind", "x\"y\\z\n")]).add(2)
        registry.counter("b_total", help: "ignored", labels: [("kind", "a")]).add()
        registry.gauge("a", help: "Now.").set(to: -1.5)
        registry.collect { [MetricSample("c.d", help: "Asked.", value: 7)] }
        #expect(
            await registry.exposition() == #"""
                # HELP a Now.
                # TYPE a gauge
                a -1.5
                # HELP b_total Things\nhappened \\.
                # TYPE b_total counter
                b_total{kind="a"} 1
                b_total{kind="x\"y\\z\n"} 2
                # HELP c_d Asked.
                # TYPE c_d gauge
                c_d 7

                """#)
    }

    @Test("buckets are cumulative and end with everything")
    func histogram() async {
        let registry = MetricRegistry()
        let histogram = registry.histogram("h", help: "H.", buckets: [0.1, 1], labels: [("r", "/")])
        for value in [0.05, 0.1, 0.5, 3] { histogram.observe(value) }
        let text = await registry.exposition()
        #expect(
            text.contains(
                "h_bucket{r=\"/\",le=\"0.1\"} 2\nh_bucket{r=\"/\",le=\"1\"} 3\nh_bucket{r=\"/\",le=\"+Inf\"} 4\n"))
        #expect(text.contains("h_sum{r=\"/\"} 3.65\nh_count{r=\"/\"} 4\n"))
    }

    @Test("counting from many tasks loses nothing")
    func concurrency() async {
        let registry = MetricRegistry()
        await withDiscardingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<1000 { registry.counter("n_total", help: "N.").add() }
                }
            }
        }
        #expect(await registry.exposition().contains("n_total 16000\n"))
    }

    @Test("libraries report through swift-metrics")
    func factory() async {
        let registry = MetricRegistry()
        let factory = RegistryMetricsFactory(registry)
        Counter(label: "pool.leases", dimensions: [("pool", "read")], factory: factory).increment(by: 3)
        Timer(label: "wait", dimensions: [], factory: factory).recordNanoseconds(2_000_000)
        Gauge(label: "depth", dimensions: [], factory: factory).record(4)
        let text = await registry.exposition()
        #expect(text.contains("pool_leases{pool=\"read\"} 3\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"0.0025\"} 1\n"))
        #expect(text.contains("depth 4\n"))
    }

    @Test("a name taken by another kind harms nobody")
    func clash() async {
        let registry = MetricRegistry()
        registry.counter("x", help: "X.").add()
        registry.gauge("x", help: "X.").set(to: 99)
        let text = await registry.exposition()
        #expect(text.contains("x 1\n"))
    }
}
