import AsyncHTTPClient
import EventLog
import FoundationEssentials
import Logging
import Postgres
import Service
import TestRandom
import TestSupport

/// One round: sets a scene, lets clients and readers work in it under faults, and then judges it.
struct Round: Sendable {
    let seed: UInt64
    let clients: Int
    let seconds: Int
    let plan: RoundPlan
    let keepsFiles: Bool

    /// Beside the other clients. Each upload starts a process.
    private static let photographers = 2

    /// - Throws: an error that keeps the round from running; a broken guarantee is in the report.
    func run() async throws -> RoundReport {
        var clock = Stopwatch()
        let recorder = Recorder()
        let scene = try await Interruption.shielding { try await Scene.set(plan, keepsFiles: keepsFiles) }
        let result: Result<RoundReport, any Error>
        do { result = .success(try await play(scene, recorder, &clock)) } catch { result = .failure(error) }
        try await Interruption.shielding { await scene.strike() }
        // The observations until then may show why.
        if case .failure = result { for complaint in recorder.complaints { print("  " + complaint) } }
        var report = try result.get()
        clock.note("to clear away")
        report.times = clock.laps.joined(separator: ", ")
        return report
    }

    private func play(
        _ scene: Scene, _ recorder: Recorder, _ clock: inout Stopwatch
    ) async throws -> RoundReport {
        var laps = clock
        defer { clock = laps }
        return try await scene.withConnections { connections in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in scene.services { group.addTask { await service.supervise() } }
                try await scene.start()
                recorder.begins(at: try await LogOrigin.read(connections.pool).position)
                recorder.expects(others: Exporter.others.union(["TargetsChosen", "TargetsMissed"]))
                laps.note("to begin")
                for reader in readers(connections, recorder) { group.addTask { await reader.run() } }
                let watcher = CheckpointWatcher(pool: connections.pool, recorder: recorder)
                group.addTask { await watcher.run() }
                let faults = try await work(scene, connections, recorder)
                laps.note("at work")
                let verdict = Verdict(scene: scene, connections: connections, recorder: recorder)
                let violations = await verdict.reach()
                laps.note("to judge")
                group.cancelAll()
                return RoundReport(seed: seed, recorder: recorder, faults: faults, violations: violations)
            }
        }
    }

    /// One that begins at the beginning and one that begins in the middle, with pages of different sizes.
    private func readers(_ connections: Connections, _ recorder: Recorder) -> [FeedReader] {
        [(0, 7), (Int64(seed % 100) + 1, 250)].map { start, pageSize in
            FeedReader(connections, after: start, pageSize: pageSize, recorder: recorder)
        }
    }

    /// Lets the clients work until the faults are over, and then until they know the outcome of all they sent.
    private func work(
        _ scene: Scene, _ connections: Connections, _ recorder: Recorder
    ) async throws -> [Fault: Int] {
        let positions = PositionReader(key: try await LogStart.read(connections.pool).key)
        let web = WebClient(connections.http, ports: scene.services.map(\.port), positions: positions)
        let stop = StopSign()
        let board = Board()
        let overHTTP = max(2, clients * 5 / 8)
        let accounts = try await signUp((overHTTP + 1) / 2, web, recorder)
        let moderator = try await moderator(accounts.count, web, scene, recorder)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { stop.raise() }
            for number in 0..<overHTTP {
                let sender = WebSender(web: web, recorder: recorder, random: random(number))
                var birder = Birder(account: accounts[number / 2], sender: sender, board: board)
                group.addTask { await birder.run(until: stop) }
            }
            for number in overHTTP..<clients {
                var writer = LogWriter(
                    connections.appender, accounts: accounts.map(\.id), board: board, recorder: recorder,
                    random: random(number))
                group.addTask { try await writer.run(until: stop) }
            }
            for number in 0..<Self.photographers {
                let sender = WebSender(web: web, recorder: recorder, random: random(2_000 + number))
                var photographer = Photographer(
                    account: accounts[number % accounts.count], moderator: moderator, sender: sender)
                group.addTask { await photographer.run(until: stop) }
            }
            var exporter = Exporter(
                account: accounts[0], moderator: moderator,
                sender: WebSender(web: web, recorder: recorder, random: random(4_000)))
            group.addTask { await exporter.run(until: stop) }
            var leaver = Leaver(
                accountsFrom: 10_000, sender: WebSender(web: web, recorder: recorder, random: random(3_000)))
            group.addTask { await leaver.run(until: stop) }
            var injector = FaultInjector(scene: scene, plan: plan, recorder: recorder, random: random(clients))
            let faults = try await injector.run(for: .seconds(seconds))
            try await scene.heal()
            stop.raise()
            try await group.waitForAll()
            return faults
        }
    }

    private func signUp(_ count: Int, _ web: WebClient, _ recorder: Recorder) async throws -> [SignedInAccount] {
        try await withThrowingTaskGroup(of: SignedInAccount.self) { group in
            for number in 0..<count {
                var sender = WebSender(web: web, recorder: recorder, random: random(1_000 + number))
                group.addTask { try await SignedInAccount.signUp(number, &sender) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// An account with the role of a moderator, and the number after those of the birders.
    private func moderator(
        _ number: Int, _ web: WebClient, _ scene: Scene, _ recorder: Recorder
    ) async throws -> SignedInAccount {
        var sender = WebSender(web: web, recorder: recorder, random: random(1_000 + number))
        return try await SignedInAccount.signUp(number, &sender) { email in
            recorder.expects(others: ["RoleGranted"])
            try await scene.operator.grant("moderator", to: email)
        }
    }

    /// A separate random source for each task, so that the timing of one does not change another's numbers.
    private func random(_ number: Int) -> RandomSource {
        var source = RandomSource(seed: seed &* 0x9e37_79b9 &+ UInt64(number))
        return RandomSource(seed: source.next())
    }
}
