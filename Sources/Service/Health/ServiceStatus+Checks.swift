import EventLog
import Postgres

extension ServiceStatus {
    /// Whether this process can serve, check by check. A fault that does not prevent it from serving is at most a
    /// warning.
    package var checks: [HealthCheck] {
        let standbyChecks = standbys.map(Self.check)
        if let failure {
            return [HealthCheck("database", .failed, detail: failure.description), spaceCheck] + standbyChecks
        }
        return [HealthCheck("database", .ready, detail: "head \(head)"), epochCheck, clockCheck]
            + [schemaCheck, diskCheck, spaceCheck, partitionCheck] + models.map(Self.check) + standbyChecks
    }

    private var epochCheck: HealthCheck {
        let isOurs = ownEpoch == nil || ownEpoch == epoch
        return HealthCheck(
            "epoch", isOurs ? .ready : .failed,
            detail: isOurs ? nil : "the log is in another epoch; the process is ending")
    }

    private var clockCheck: HealthCheck {
        HealthCheck("clock", clock?.fault == nil ? .ready : .failed, detail: clock?.fault)
    }

    private var schemaCheck: HealthCheck {
        if let schemaFault { return HealthCheck("migrations", .failed, detail: schemaFault) }
        guard !newerMigrations.isEmpty else { return HealthCheck("migrations", .ready) }
        let names = newerMigrations.joined(separator: ", ")
        return HealthCheck("migrations", .warning, detail: "of a newer program: \(names)")
    }

    private var diskCheck: HealthCheck {
        let isFull = appends?.rejection == .diskFull
        return HealthCheck(
            "disk", isFull ? .warning : .ready, detail: isFull ? "the database's disk is full" : nil)
    }

    /// At most a warning: everything but photos goes on.
    private var spaceCheck: HealthCheck {
        guard let disk, let free = disk.free else { return HealthCheck("disk-space", .ready) }
        let detail = "\(free) bytes free" + (disk.isLow ? ", fewer than SKEIN_DISK_RESERVE: photos are rejected" : "")
        return HealthCheck("disk-space", disk.isLow ? .warning : .ready, detail: detail)
    }

    private var partitionCheck: HealthCheck {
        HealthCheck(
            "partitions", emptyPartitions < 1 ? .warning : .ready,
            detail: "\(emptyPartitions) empty above the head")
    }

    private static func check(_ model: ModelStatus) -> HealthCheck {
        HealthCheck(
            "model:\(model.name)_v\(model.version)", model.fault == nil ? .ready : .warning,
            detail: model.fault, lag: model.lag)
    }

    /// At most a warning: the primary answers instead of a standby.
    private static func check(_ standby: StandbyStatus) -> HealthCheck {
        HealthCheck("standby:\(standby.name)", standby.fault == nil ? .ready : .warning, detail: standby.detail)
    }
}
