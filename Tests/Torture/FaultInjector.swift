import Logging
import Postgres
import PrivateServer
import TestRandom
import TestSupport

/// The faults that are injected.
enum Fault: String, CaseIterable, Sendable {
    /// `pg_terminate_backend`.
    case backendEnded = "backends ended"
    /// PostgreSQL stopped immediately, and started again.
    case serverStopped = "stops of PostgreSQL"
    /// A service killed with SIGKILL, and started again.
    case serviceKilled = "services killed"
    /// A service stopped with SIGSTOP for 2 to 4 seconds.
    case serviceFrozen = "services frozen"
}

/// Injects faults: every kind once, in random order, and then random ones until the time is over.
///
/// A frozen or killed service stays so while other faults are injected.
struct FaultInjector: Sendable {
    private let scene: Scene
    private var random: RandomSource
    private var counts: [Fault: Int] = [:]

    init(scene: Scene, random: RandomSource) {
        self.scene = scene
        self.random = random
    }

    /// - Returns: how often each fault was injected; each at least once.
    mutating func run(for duration: Duration) async throws -> [Fault: Int] {
        let end = ContinuousClock.now + duration
        var due = Fault.allCases.shuffled(using: &random)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            while ContinuousClock.now < end || !due.isEmpty {
                try await Task.sleep(for: .milliseconds(random.int(in: 100...1_500)))
                let fault = due.first ?? next()
                guard try await strike(fault, &group) else { continue }
                counts[fault, default: 0] += 1
                due.removeAll { $0 == fault }
            }
            try await group.waitForAll()
            return counts
        }
    }

    /// Backends are ended more often than servers.
    private mutating func next() -> Fault {
        random.isTrue(oneIn: 2) ? .backendEnded : random.element(of: Fault.allCases)
    }

    /// - Returns: false if there was no target.
    private mutating func strike(_ fault: Fault, _ group: inout ThrowingTaskGroup<Void, any Error>) async throws -> Bool
    {
        let pause = random.int(in: 0...1_000)
        switch fault {
        case .backendEnded:
            return await endBackends(random.int(in: 1...3), onlyAppending: random.isTrue(oneIn: 2))
        case .serverStopped:
            try await scene.server.interrupt(mode: .immediate)
            try await Task.sleep(for: .milliseconds(200 + pause))
            try await scene.server.resume()
            return true
        case .serviceKilled:
            let service = random.element(of: scene.services)
            guard await service.reserve() else { return false }
            group.addTask { try await service.killAndRestart(after: .milliseconds(pause)) }
            return true
        case .serviceFrozen:
            let service = random.element(of: scene.services)
            guard await service.reserve() else { return false }
            group.addTask { try await service.freeze(for: .milliseconds(2_000 + 2 * pause)) }
            return true
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
