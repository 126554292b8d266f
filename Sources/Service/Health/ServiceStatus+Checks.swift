import EventLog
import Postgres

/// One thing that an operator may want to know about.
package struct HealthCheck: Sendable, Hashable {
    /// How it is.
    package enum State: Sendable, Hashable {
        case ready
        /// Other processes, or other routes, have the same trouble or none; this process can serve.
        case warning
        /// This process cannot serve.
        case failed
    }

    package let name: String
    package let state: State
    /// In words without secrets; nil for nothing to say.
    package var detail: String?
    /// Positions behind the head, for a model.
    package var lag: Int64?
}

extension ServiceStatus {
    /// Whether this process can serve, check by check. Whatever does not keep it from serving is a warning at most.
    package var checks: [HealthCheck] {
        if let failure { return [HealthCheck(name: "database", state: .failed, detail: failure.description)] }
        return [HealthCheck(name: "database", state: .ready, detail: "head \(head)"), epochCheck, clockCheck]
            + [schemaCheck, diskCheck, partitionCheck] + models.map(Self.check)
    }

    private var epochCheck: HealthCheck {
        let isOurs = ownEpoch == nil || ownEpoch == epoch
        return HealthCheck(
            name: "epoch", state: isOurs ? .ready : .failed,
            detail: isOurs ? nil : "the log is in another epoch; the process is ending")
    }

    private var clockCheck: HealthCheck {
        HealthCheck(name: "clock", state: clock?.fault == nil ? .ready : .failed, detail: clock?.fault)
    }

    private var schemaCheck: HealthCheck {
        if let schemaFault { return HealthCheck(name: "migrations", state: .failed, detail: schemaFault) }
        guard !newerMigrations.isEmpty else { return HealthCheck(name: "migrations", state: .ready) }
        let names = newerMigrations.joined(separator: ", ")
        return HealthCheck(name: "migrations", state: .warning, detail: "of a newer program: \(names)")
    }

    private var diskCheck: HealthCheck {
        let isFull = appends?.rejection == .diskFull
        return HealthCheck(
            name: "disk", state: isFull ? .warning : .ready, detail: isFull ? "the database's disk is full" : nil)
    }

    private var partitionCheck: HealthCheck {
        HealthCheck(
            name: "partitions", state: emptyPartitions < 1 ? .warning : .ready,
            detail: "\(emptyPartitions) empty above the head")
    }

    private static func check(_ model: ModelStatus) -> HealthCheck {
        HealthCheck(
            name: "model:\(model.name)_v\(model.version)", state: model.fault == nil ? .ready : .warning,
            detail: model.fault, lag: model.lag)
    }
}
