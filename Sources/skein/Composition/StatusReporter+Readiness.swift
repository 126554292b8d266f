import EventLog
import FoundationEssentials
import Postgres
import Service
import Web
import WebAPI

extension StatusReporter: ReadinessReporting {
    func readiness() async -> ReadinessReport {
        ReadinessReport(await status().checks)
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
        ] + Self.samples(of: status.clock) + Self.samples(of: status.appends) + status.models.flatMap(Self.samples)
            + status.standbys.flatMap(Self.samples) + Self.samples(of: status.pool) + Self.samples(of: status.disk)
    }

    static func samples(of streams: EventStreams) -> [MetricSample] {
        [sample("skein_event_streams", .gauge, "Open streams of notifications.", value: Double(streams.count))]
    }

    private static func samples(of disk: DiskSpace.State?) -> [MetricSample] {
        guard let disk, let free = disk.free else { return [] }
        return [
            sample(
                "skein_disk_free_bytes", .gauge, "Free bytes where photos are written.", value: Double(free)),
            sample(
                "skein_disk_reserve_bytes", .gauge, "Free bytes below which photos are rejected; 0 for none.",
                value: Double(disk.reserve ?? 0)),
        ]
    }

    private static func samples(of clock: LogClock?) -> [MetricSample] {
        guard let clock else { return [] }
        return [
            sample(
                "skein_clock_accepted", .gauge, "Whether events may be recorded at the database's time.",
                value: clock.fault == nil ? 1 : 0),
            sample(
                "skein_clock_difference_seconds", .gauge, "The database's clock minus this process's.",
                value: clock.database.timeIntervalSince(clock.process)),
        ]
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
            ("refused_batches", "Calls that the database rejected as a whole.", Double(appends.rejectedBatches)),
            ("retried_batches", "Calls sent again.", Double(appends.retriedBatches)),
            ("seconds", "Time spent in successful calls.", appends.time / .seconds(1)),
        ]
        return counters.map { sample("skein_append_\($0.0)_total", .counter, $0.1, value: $0.2) }
    }

    private static func samples(of model: ModelStatus) -> [MetricSample] {
        let labels: MetricLabels = [("model", model.name), ("version", String(model.version))]
        return [
            sample(
                "skein_model_lag", .gauge, "Positions between a read model and the head.", labels,
                value: Double(model.lag)),
            sample(
                "skein_model_failures", .gauge, "Failures of a read model since it last moved.", labels,
                value: Double(model.failures)),
            sample(
                "skein_model_up", .gauge,
                "Whether a read model follows the log, at most \(ReadModel.toleratedLag) positions behind.", labels,
                value: model.fault == nil ? 1 : 0),
        ]
    }

    private static func samples(of standby: StandbyStatus) -> [MetricSample] {
        let labels: MetricLabels = [("standby", standby.name)]
        let lag = standby.lag.map {
            sample(
                "skein_standby_lag_seconds", .gauge, "How far a standby is behind the primary, at most.", labels,
                value: $0 / .seconds(1))
        }
        return [
            sample(
                "skein_standby_up", .gauge, "Whether a standby is read from.", labels,
                value: standby.fault == nil ? 1 : 0),
            sample(
                "skein_standby_reads_total", .counter, "Reads that a standby has answered.", labels,
                value: Double(standby.reads)),
        ] + (lag.map { [$0] } ?? [])
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
