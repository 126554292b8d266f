import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport

/// Judges a round once everything is up again and every client knows the outcomes of all it sent.
struct Verdict: Sendable {
    /// How long followers and readers may take to reach the head. A follower that met many errors waits half a minute.
    private static let timeout: Duration = .seconds(60)

    let scene: Scene
    let connections: Connections
    let recorder: Recorder

    /// - Returns: all violations. A check that cannot be made is one.
    func reach() async -> [String] {
        var violations = await found("the erasures", unfinishedErasures)
        violations += await found("the models' progress", stragglers)
        for service in scene.services {
            violations += await found("the end of a service") {
                try await service.stop()
                return await service.complaints
            }
        }
        violations += recorder.complaints
        violations += RoundTally(recorder).shortfalls
        violations += await found("the log", brokenChecks)
        violations += await found("the history", brokenRules)
        violations += await found("the findings", wrongFindings)
        violations += await found("the photos", scene.operator.lostPhotos)
        violations += await found("the targets", doubledChoices)
        for model in ReadModel.all {
            violations += await found("the rebuild of \(model.name)") { try await differences(of: model) }
        }
        return violations
    }

    private func found(_ subject: String, _ check: () async throws -> [String]) async -> [String] {
        do { return try await check() } catch { return ["\(subject) cannot be checked: \(String(reflecting: error))"] }
    }

    private func brokenChecks() async throws -> [String] {
        try await LogVerification.run(connections.pool).checks.filter { $0.broken > 0 }
            .map { "\($0.name): \($0.broken) of \($0.examined)" }
    }

    private func brokenRules() async throws -> [String] {
        var checker = HistoryChecker(
            log: try await wholeLog(), content: try await LoggedContent.all(connections.pool),
            history: recorder.history)
        return checker.check().map(\.description)
    }

    /// Erasures that no service takes up: all but the files, which go later.
    private func unfinishedErasures() async throws -> [String] {
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            let result = try await connections.pool.query(
                """
                select j.subject, j.progress
                  from vault.jobs j join vault.erasures e on e.account = j.subject
                 where j.kind = 'erasure' and j.progress < e.position
                """)
            if result.rows.isEmpty { return [] }
            if ContinuousClock.now > deadline {
                return try result.rows.map { row in
                    let (account, scanned): (UUID, Int64) = (try row.decode("subject"), try row.decode("progress"))
                    return "the erasure of \(account) stays at \(scanned)"
                }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Models and readers that do not reach the head.
    private func stragglers() async throws -> [String] {
        let deadline = ContinuousClock.now + Self.timeout
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

    /// Weeks of a region that are settled more than once.
    private func doubledChoices() async throws -> [String] {
        let result = try await connections.pool.query(
            """
            select e.payload ->> 'region' as region, e.payload ->> 'week' as week, count(*) as choices from log.events e
             where e.type in ('TargetsChosen', 'TargetsMissed') group by 1, 2 having count(*) > 1
            """)
        return try result.rows.map { row in
            let (region, week): (String, String) = (try row.decode("region"), try row.decode("week"))
            return "\(region) \(week) is settled \(try row.decode("choices", as: Int64.self)) times"
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
            // All events at once, beside whatever else the machine does.
            _ = try await connection.query("select \(identifier: aside).fold(0, \(head))", within: .seconds(300))
        }
        let rebuilt = try await ModelDigest.of(model, in: aside, pool)
        let followed = try await ModelDigest.of(model, pool)
        return rebuilt.keys.sorted().filter { rebuilt[$0] != followed[$0] }.map { table in
            "\(model.schema).\(table) is \(followed[table] ?? "-"), but rebuilt \(rebuilt[table] ?? "-")"
        }
    }
}
