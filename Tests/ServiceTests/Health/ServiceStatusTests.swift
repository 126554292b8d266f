import Foundation
import Logging
import ReadModels
import TestSupport
import Testing

@testable import EventLog
@testable import Postgres
@testable import Service

struct ServiceStatusTests {
    /// A status in which nothing is wrong, and a change to it.
    private func checks(
        epoch: Int64 = 1, newer: [String] = [], schemaFault: String? = nil, clock: LogClock? = nil,
        appends: AppendStatistics? = nil, models: [ModelStatus] = [], standbys: [StandbyStatus] = [],
        disk: DiskSpace.State? = nil
    ) -> [HealthCheck] {
        ServiceStatus(
            epoch: epoch, ownEpoch: 1, head: 5, recordedAt: nil, schemaFault: schemaFault, newerMigrations: newer,
            clock: clock, emptyPartitions: 2, models: models, standbys: standbys, pool: PostgresPoolSnapshot(),
            appends: appends, queueDepth: 0, disk: disk, failure: nil
        ).checks
    }

    private func state(of name: String, _ checks: [HealthCheck]) -> HealthCheck.State? {
        checks.first { $0.name == name }?.state
    }

    @Test func `the epoch and the schema decide whether a process can serve`() {
        #expect(checks().allSatisfy { $0.state == .ready })
        #expect(state(of: "epoch", checks(epoch: 2)) == .failed)
        #expect(state(of: "migrations", checks(schemaFault: "not applied")) == .failed)
        #expect(state(of: "migrations", checks(newer: ["0010_add_column.sql"])) == .warning)
    }

    @Test func `a standby that is not read from is a warning`() {
        let bad = StandbyStatus(name: "db2:5432", fault: .behind, lag: .milliseconds(44_500), reads: 0)
        let checks = checks(standbys: [bad, StandbyStatus(name: "db3:5432", fault: nil, lag: .zero, reads: 1)])
        #expect(state(of: "standby:db2:5432", checks) == .warning)
        #expect(state(of: "standby:db3:5432", checks) == .ready)
        #expect(checks.contains { $0.detail == "behind, lag at most 45 s" })
    }

    @Test func `a full disk is a warning`() {
        var appends = AppendStatistics()
        appends.rejection = .diskFull
        #expect(state(of: "disk", checks(appends: appends)) == .warning)
    }

    @Test(arguments: [(1000, .ready), (999, .warning), (nil, .ready)] as [(Int?, HealthCheck.State)])
    func `a disk with less space than its reserve is a warning`(free: Int?, expected: HealthCheck.State) {
        let checks = checks(disk: DiskSpace.State(free: free, reserve: 1000))
        #expect(state(of: "disk-space", checks) == expected && !checks.contains { $0.state == .failed })
        let detail = checks.first { $0.name == "disk-space" }?.detail
        #expect(detail?.contains("SKEIN_DISK_RESERVE: photos are rejected") ?? false == (expected == .warning))
    }

    @Test func `a model that is missing, fails or is ahead of the log is a warning of its own`() async throws {
        try await ImportFixture.run { fixture in
            let models: [ReadModel] = [.accounts, .taxa, .datasets]
            try await ModelInstaller(fixture.pool).install([.accounts, .taxa])
            _ = try await fixture.pool.query(
                "update model.checkpoints set failed_at = now(), failed_sqlstate = '22012' where name = 'accounts'")
            _ = try await fixture.pool.query("update model.checkpoints set position = 9 where name = 'taxa'")
            let checkpoints = try await Checkpoint.all(fixture.pool)
            let checks = checks(models: models.map { ModelStatus($0, checkpoints, head: 5) })
            for model in models { #expect(state(of: "model:\(model.schema)", checks) == .warning) }
            #expect(!checks.contains { $0.state == .failed })
            #expect(checks.map { $0.detail ?? "" }.contains { $0.contains("22012") })
        }
    }

    @Test func `a process whose clock differs from the database's cannot serve`() async throws {
        try await ImportFixture.run { fixture in
            let now = Date()
            #expect(state(of: "clock", checks(clock: try await LogClock.read(fixture.pool, now: now))) == .ready)
            let clock = try await LogClock.read(fixture.pool, now: now.addingTimeInterval(400))
            #expect(state(of: "clock", checks(clock: clock)) == .failed)
        }
    }
}
