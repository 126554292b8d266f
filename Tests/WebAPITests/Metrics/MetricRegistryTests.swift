import Testing

@testable import Web

struct MetricRegistryTests {
    @Test func `families have help and type once, and series sorted`() async {
        let registry = MetricRegistry()
        registry.gauge("b", help: "Things\nhappened \\.", labels: [("kind", "x\"y\\z\n")]).add(2)
        registry.gauge("b", help: "ignored", labels: [("kind", "a")]).add(1)
        registry.gauge("a", help: "Now.").add(-1.5)
        registry.collect { [MetricSample("c_total", .counter, help: "Asked.", value: 7)] }
        #expect(
            await registry.exposition() == #"""
                # HELP a Now.
                # TYPE a gauge
                a -1.5
                # HELP b Things\nhappened \\.
                # TYPE b gauge
                b{kind="a"} 1
                b{kind="x\"y\\z\n"} 2
                # HELP c_total Asked.
                # TYPE c_total counter
                c_total 7

                """#)
    }

    @Test func `buckets are cumulative and end with everything`() async {
        let registry = MetricRegistry()
        let histogram = registry.histogram("h", help: "H.", buckets: [0.1, 1], labels: [("r", "/")])
        for value in [0.05, 0.1, 0.5, 3] { histogram.observe(value) }
        let text = await registry.exposition()
        #expect(
            text.contains(
                "h_bucket{r=\"/\",le=\"0.1\"} 2\nh_bucket{r=\"/\",le=\"1\"} 3\nh_bucket{r=\"/\",le=\"+Inf\"} 4\n"))
        #expect(text.contains("h_sum{r=\"/\"} 3.65\nh_count{r=\"/\"} 4\n"))
    }

    @Test func `counting from many tasks loses nothing`() async {
        let registry = MetricRegistry()
        await withDiscardingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<1000 { registry.gauge("n", help: "N.").add(1) }
                }
            }
        }
        #expect(await registry.exposition().contains("n 16000\n"))
    }

    @Test func `a name taken by another kind harms nobody`() async {
        let registry = MetricRegistry()
        registry.gauge("x", help: "X.").add(1)
        registry.histogram("x", help: "X.").observe(99.0)
        let text = await registry.exposition()
        #expect(text.contains("x 1\n"))
    }
}
