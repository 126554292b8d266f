import Logging
import Postgres
import PrivateServer
import TestRandom
import TestSupport

/// Injects faults: every one of the plan once, in random order, and then random ones until the time is over and the
/// round has tried enough.
///
/// Faults of services, and what operators do, go on while others are injected; those of the server and of the network
/// come one at a time.
struct FaultInjector: Sendable {
    /// Longer than any statement of a client or a service may take.
    private static let freeze: Duration = .seconds(8)
    /// Added, where a slow machine has not tried enough by then.
    private static let grace: Duration = .seconds(20)

    private let scene: Scene
    private let plan: RoundPlan
    private let recorder: Recorder
    private var random: RandomSource
    private var counts: [Fault: Int] = [:]

    init(scene: Scene, plan: RoundPlan, recorder: Recorder, random: RandomSource) {
        self.scene = scene
        self.plan = plan
        self.recorder = recorder
        self.random = random
    }

    /// - Returns: how often each fault was injected; each of the plan at least once.
    mutating func run(for duration: Duration) async throws -> [Fault: Int] {
        let end = ContinuousClock.now + duration
        var due = plan.faults.shuffled(using: &random)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            while ContinuousClock.now < end || !due.isEmpty { try await inject(&due, &group) }
            let latest = ContinuousClock.now + Self.grace
            while ContinuousClock.now < latest, hasTriedTooLittle { try await inject(&due, &group) }
            try await group.waitForAll()
            return counts
        }
    }

    /// Injects the next that is due, or else a random one, after a pause.
    private mutating func inject(
        _ due: inout [Fault], _ group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        try await Task.sleep(for: .milliseconds(random.int(in: 100...1_500)))
        let fault = due.first ?? next()
        guard try await strike(fault, &group) else {
            // Another one first.
            if !due.isEmpty { due.append(due.removeFirst()) }
            return
        }
        counts[fault, default: 0] += 1
        due.removeAll { $0 == fault }
    }

    /// Whether there is a shortfall that more time would end. Accounts that leave are erased after the faults too.
    private var hasTriedTooLittle: Bool {
        var tally = RoundTally(recorder)
        tally.erasures = max(tally.erasures, RoundTally.minimum.erasures)
        return !tally.shortfalls.isEmpty
    }

    /// Backends are ended more often than servers.
    private mutating func next() -> Fault {
        random.isTrue(oneIn: 2) ? .backendEnded : random.element(of: plan.repeated)
    }

    /// - Returns: false if there was no target.
    private mutating func strike(_ fault: Fault, _ group: inout ThrowingTaskGroup<Void, any Error>) async throws -> Bool
    {
        switch fault {
        case .serviceKilled, .serviceFrozen: return await strikeService(fault, &group)
        case .modelsRebuilt, .eventRedacted, .importUndone, .longSnapshot: begin(fault, &group)
        case .backendEnded:
            return await endBackends(random.int(in: 1...3), onlyAppending: random.isTrue(oneIn: 2))
        case .serverStopped:
            try await scene.server.interrupt(mode: .immediate)
            try await Task.sleep(for: .milliseconds(random.int(in: 200...1_200)))
            try await scene.server.resume()
        case .serverFrozen: try await scene.server.freeze(for: Self.freeze)
        case .connectionsCut: random.element(of: scene.proxies).cut()
        case .connectionsSilenced: try await random.element(of: scene.proxies).silence(for: Self.freeze)
        case .diskFull:
            try await scene.disk?.fill(for: .seconds(3))
            // Without space for its WAL it has ended.
            try await scene.server.resume()
        }
        return true
    }

    private mutating func strikeService(
        _ fault: Fault, _ group: inout ThrowingTaskGroup<Void, any Error>
    ) async -> Bool {
        let service = random.element(of: scene.services)
        let pause = random.int(in: 0...1_000)
        guard await service.reserve() else { return false }
        if fault == .serviceKilled {
            group.addTask { try await service.killAndRestart(after: .milliseconds(pause)) }
        } else {
            group.addTask { try await service.freeze(for: .milliseconds(2_000 + 2 * pause)) }
        }
        return true
    }

    /// An operator at work at any time. A command that never succeeds is a violation.
    private func begin(_ fault: Fault, _ group: inout ThrowingTaskGroup<Void, any Error>) {
        let (scene, recorder) = (scene, recorder)
        group.addTask {
            do {
                switch fault {
                case .modelsRebuilt: try await scene.operator.rebuild()
                case .eventRedacted: try await scene.operator.redact(recorder)
                case .importUndone: try await scene.operator.importAndUndo(recorder)
                default: await scene.operator.holdSnapshot(for: .seconds(15))
                }
            } catch {
                if Task.isCancelled { throw error }
                recorder.complain("\(fault.rawValue): \(String(reflecting: error))")
            }
        }
    }

    /// Ends backends of any client, this process's included; only those at an append, if there are any.
    private func endBackends(_ count: Int, onlyAppending: Bool) async -> Bool {
        do {
            let connection = try await PostgresConnection.connect(scene.owner, logger: .silent)
            let result = try await connection.query(
                """
                select pg_terminate_backend(pid)
                  from (select pid from pg_stat_activity
                         where datname = current_database() and backend_type = 'client backend'
                           and pid <> pg_backend_pid()
                         order by \(onlyAppending) and query like '%log.append%' and state = 'active' desc, random()
                         limit \(Int64(count))) victims
                """)
            await connection.close()
            return result.count > 0
        } catch {
            return false
        }
    }
}
