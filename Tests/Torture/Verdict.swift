import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport

/// Judges a round once everything is up again and every client knows the outcomes of all it sent.
struct Verdict: Sendable {
    /// How long followers and readers may take to reach the head. A follower that met many errors waits half a minute.
    private static let patience: Duration = .seconds(60)

    let scene: Scene
    let connections: Connections
    let recorder: Recorder

    /// - Returns: all violations.
    /// - Throws: an error in reading the log.
    func reach() async throws -> [String] {
        var violations = try await stragglers()
        for service in scene.services {
            try await service.stop()
            violations += await service.complaints
        }
        violations += recorder.complaints
        violations += RoundTally(recorder).shortfalls
        let verification = try await LogVerification.run(connections.pool)
        violations += verification.checks.filter { $0.broken > 0 }.map { "\($0.name): \($0.broken) of \($0.examined)" }
        var checker = HistoryChecker(
            log: try await wholeLog(), content: try await LoggedContent.all(connections.pool),
            history: recorder.history)
        violations += checker.check().map(\.description)
        violations += try await wrongFindings()
        for model in ReadModel.all { violations += try await differences(of: model) }
        return violations
    }

    /// Models and readers that do not reach the head.
    private func stragglers() async throws -> [String] {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let head = try await LogOrigin.read(connections.pool).position
            let checkpoints = try await Checkpoint.all(connections.pool)
            let behind = checkpoints.filter { $0.position < head }.map { checkpoint in
                "model \(checkpoint.name) stays at \(checkpoint.position) of \(head): "
                    + (checkpoint.failure.map { "\($0.sqlState) \($0.message)" } ?? "no failure noted")
            }
            let waiting = recorder.reached.filter { $0.value < head }.map {
                "reader \($0.key) stays at \($0.value) of \(head)"
            }
            if behind.isEmpty && waiting.isEmpty { return [] }
            if ContinuousClock.now > deadline { return behind + waiting }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func wholeLog() async throws -> [RecordedEvent] {
        let reader = LogReader(connections.pool)
        var log: [RecordedEvent] = []
        while true {
            let page = try await reader.page(after: Int64(log.count), limit: 5_000)
            if page.isEmpty { return log }
            log += page
        }
    }

    /// Every acknowledged sighting is a finding, and there is no other: clients retried until they had an answer.
    private func wrongFindings() async throws -> [String] {
        let schema = ReadModel.sightingsExact.schema
        let result = try await connections.pool.query(
            "select distinct id from \(identifier: schema).sightings where observer is not null")
        let found = Set(try result.rows.map { try $0.decode("id", as: UUID.self) })
        let acknowledged = recorder.submitted
        return acknowledged.subtracting(found).map { "sighting \($0) was acknowledged, but is no finding" }
            + found.subtracting(acknowledged).map { "finding \($0) was never acknowledged" }
    }

    /// Tables of a followed model that differ from those of a rebuild.
    private func differences(of model: ReadModel) async throws -> [String] {
        let aside = model.schema + "_aside"
        let pool = connections.pool
        let head = try await LogOrigin.read(pool).position
        try await pool.transaction { connection in
            try await ModelInstaller.build(model, in: aside, connection)
            _ = try await connection.query("select \(identifier: aside).fold(0, \(head))")
        }
        let rebuilt = try await ModelDigest.of(model, in: aside, pool)
        let followed = try await ModelDigest.of(model, pool)
        return rebuilt.keys.sorted().filter { rebuilt[$0] != followed[$0] }.map { table in
            "\(model.schema).\(table) is \(followed[table] ?? "-"), but rebuilt \(rebuilt[table] ?? "-")"
        }
    }
}
