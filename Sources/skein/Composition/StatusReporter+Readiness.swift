import EventLog
import Postgres
import Service
import WebAPI

extension StatusReporter: ReadinessReporting {
    /// A model may be this far behind before the service counts as not ready.
    static let toleratedLag: Int64 = 10_000

    /// The database, the partitions and each read model.
    func readiness() async -> ReadinessReport {
        let status = await status()
        guard status.failure == nil else {
            return ReadinessReport([.init("database", .failed, detail: status.failure?.description)])
        }
        let isOurs = status.ownEpoch == nil || status.ownEpoch == status.epoch
        let epoch = ReadinessReport.Check(
            "epoch", isOurs ? .ready : .failed,
            detail: isOurs ? nil : "the log is in another epoch: restart the service")
        let migrations = ReadinessReport.Check(
            "migrations", status.schemaFault == nil ? .ready : .failed, detail: status.schemaFault)
        let partitions = ReadinessReport.Check(
            "partitions", status.emptyPartitions < 1 ? .warning : .ready,
            detail: "\(status.emptyPartitions) empty above the head")
        return ReadinessReport(
            [.init("database", .ready, detail: "head \(status.head)"), epoch, migrations, partitions]
                + status.models.map(Self.check))
    }

    private static func check(_ model: ServiceStatus.Model) -> ReadinessReport.Check {
        let name = "model:\(model.name)_v\(model.version)"
        guard let checkpoint = model.checkpoint else { return .init(name, .failed, detail: "not installed") }
        if let failure = checkpoint.failure {
            let detail =
                "failing at \(checkpoint.position): SQLSTATE \(failure.sqlState), \(failure.count) failures"
            return .init(name, .failed, detail: detail, lag: model.lag)
        }
        return .init(name, model.lag > toleratedLag ? .failed : .ready, lag: model.lag)
    }
}

extension StatusReporter {
    /// What `/metrics` shows beside the requests.
    func samples() async -> [MetricSample] {
        let status = await status()
        return [
            sample("skein_up", .gauge, "Whether the database answers.", value: status.failure == nil ? 1 : 0),
            sample("skein_log_head", .gauge, "The highest position of the log.", value: Double(status.head)),
            sample(
                "skein_log_empty_partitions", .gauge, "Empty partitions above the head.",
                value: Double(status.emptyPartitions)),
            sample(
                "skein_append_queue_depth", .gauge, "Commands waiting or in flight.", value: Double(status.queueDepth)),
        ] + Self.samples(of: status.appends) + status.models.flatMap(Self.samples) + Self.samples(of: status.pool)
    }

    private static func samples(of appends: AppendStatistics?) -> [MetricSample] {
        guard let appends else { return [] }
        let counters: [(String, String, Double)] = [
            ("batches", "Successful calls that appended.", Double(appends.batches)),
            ("commands", "Commands answered.", Double(appends.commands)),
            ("events", "Events appended.", Double(appends.events)),
            ("repeats", "Commands found to have been appended before.", Double(appends.repeats)),
            (
                "conflicts", "Commands answered with an error: a conflict, a reused key, a name already taken.",
                Double(appends.conflicts)
            ),
            ("turned_away", "Commands rejected by a full queue.", Double(appends.turnedAway)),
            ("refused_batches", "Calls that the database rejected as a whole.", Double(appends.refusedBatches)),
            ("retried_batches", "Calls sent again.", Double(appends.retriedBatches)),
            ("seconds", "Time spent in successful calls.", appends.time / .seconds(1)),
        ]
        return counters.map { sample("skein_append_\($0.0)_total", .counter, $0.1, value: $0.2) }
    }

    private static func samples(of model: ServiceStatus.Model) -> [MetricSample] {
        let labels: MetricLabels = [("model", model.name), ("version", String(model.version))]
        return [
            sample(
                "skein_model_lag", .gauge, "Positions between a read model and the head.", labels,
                value: Double(model.lag)),
            sample(
                "skein_model_failures", .gauge, "Failures of a read model since it last moved.", labels,
                value: Double(model.checkpoint?.failure?.count ?? 0)),
        ]
    }

    private static func samples(of pool: PostgresPoolSnapshot) -> [MetricSample] {
        let gauges: [(String, String, Int)] = [
            ("shared_up", "Shared connections that are up.", pool.sharedUp),
            ("shared_load", "Statements not answered yet.", pool.sharedLoad),
            ("exclusive_taken", "Exclusive connections in use.", pool.exclusiveTaken),
            ("exclusive_waiting", "Tasks waiting for an exclusive connection.", pool.exclusiveWaiting),
        ]
        return gauges.map { sample("skein_pool_\($0.0)", .gauge, $0.1, value: Double($0.2)) }
    }
}

private func sample(
    _ name: String, _ kind: MetricKind, _ help: String, _ labels: MetricLabels = [], value: Double
) -> MetricSample {
    MetricSample(name, kind, help: help, labels: labels, value: value)
}
