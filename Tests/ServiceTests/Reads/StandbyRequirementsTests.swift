import Testing

@testable import Postgres
@testable import Service

struct StandbyRequirementsTests {
    private let requirements = StandbyRequirements(systemIdentifier: 7, epoch: 2)
    private let good = StandbyReport(systemIdentifier: 7, log: .init(epoch: 2))

    private func fault(
        _ lag: Duration? = .seconds(30), _ change: (inout StandbyReport) -> Void = { _ in }
    ) -> StandbyFault? {
        var report = good
        change(&report)
        return requirements.fault(of: report, lag: lag)
    }

    @Test func `every fault is named`() {
        #expect(fault() == nil)
        #expect(fault(.seconds(30.1)) == .behind && fault(nil) == .behind)
        #expect(fault { $0.isPaused = true } == .paused)
        #expect(fault { $0.log?.epoch = 1 } == .otherEpoch && fault { $0.log = nil } == .otherEpoch)
        #expect(fault { $0.isInRecovery = false } == .notInRecovery)
        #expect(fault { $0.systemIdentifier = 8 } == .otherSystem)
    }

    @Test func `what makes a server none to read from comes before what may pass`() {
        #expect(fault(nil) { ($0.isPaused, $0.isInRecovery) = (true, false) } == .notInRecovery)
        #expect(fault { ($0.log, $0.isInRecovery, $0.systemIdentifier) = (nil, false, 8) } == .otherSystem)
    }

    @Test(arguments: ["40001", "40P01", "57P01", "57P02", "57P03", "57P04", "08006"])
    func `the primary answers what a standby cancels`(code: String) {
        #expect(error(code).isOfStandby(after: .seconds(60), limit: .seconds(5)))
    }

    @Test func `the primary answers what a standby cancels before the limit of the read`() {
        #expect(error("57014").isOfStandby(after: .seconds(4.9), limit: .seconds(5)))
        #expect(!error("57014").isOfStandby(after: .seconds(5), limit: .seconds(5)))
    }

    @Test(arguments: ["57014", "42P01", "22003"])
    func `it is not asked again what takes too long or is wrong`(code: String) {
        #expect(!error(code).isOfStandby(after: .seconds(5), limit: .seconds(5)))
        #expect(!PostgresError(.cancelled, "").isOfStandby(after: .zero, limit: .seconds(5)))
    }

    @Test func `a short watch judges a standby as a long one does`() {
        func isJudged(_ fault: StandbyFault?, lag: Duration? = nil, after seconds: Double) -> Bool {
            StandbyStatus(name: "db2:5432", fault: fault, lag: lag, reads: 0).isJudged(after: .seconds(seconds))
        }
        #expect(isJudged(nil, lag: .zero, after: 0.2) && isJudged(.paused, after: 0.2))
        #expect(!isJudged(.unreachable, after: 1.9) && isJudged(.unreachable, after: 2))
        // It may have replayed what the primary wrote before the watch.
        #expect(!isJudged(.behind, after: 30) && isJudged(.behind, after: 30.1))
        #expect(isJudged(.behind, lag: .seconds(31), after: 2))
    }

    @Test func `no read is answered that began before a position was gone`() {
        var state = StandbyState()
        state.positions = ["a": 5, "b": 9]
        state.compare(["a": 6, "b": 9])
        #expect(state.generation == 0 && state.positions["a"] == 5)
        state.compare(["a": 6, "b": 8])
        #expect(state.generation == 1 && state.positions == ["a": 6, "b": 8])
        state.compare([:])
        #expect(state.generation == 2)
    }

    private func error(_ code: String) -> PostgresError {
        PostgresError(server: ServerReport(severity: "ERROR", sqlState: SQLState(rawValue: code), message: ""))
    }
}
