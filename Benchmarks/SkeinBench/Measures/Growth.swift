import Foundation
import Postgres

/// A large log against smaller ones, and appends beside a transaction that stays open.
struct Growth: Sendable {
    /// The figures compared at either size.
    private struct Figures {
        /// Events a second.
        var rate: Double
        /// Milliseconds of a page of findings.
        var page: Double
    }

    let laboratory: Laboratory
    let database = "grown"

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        try await laboratory.makeLog(database)
        let plan = laboratory.plan
        return try await ServedLog.with(laboratory, database: database) { log in
            try await submitFindings(120, of: try await log.signedIn())
            let accounts = try await registerAccounts(log)
            var filled = try await FilledLog(laboratory, database: database)
            let small = try await figures(at: plan.small, &filled, log)
            try await fill(upTo: plan.middle, &filled, log)
            let middle = try await maintenance(log, accounts.redactedBefore)
            let large = try await figures(at: plan.large, &filled, log)
            let grown = try await maintenance(log, accounts.redacted)
            let (before, beside) = try await openTransaction(log)
            let sizes = "\(Double(plan.large).short) events against \(Double(plan.small).short)"
            let tenfold = "\(Double(plan.large).short) events against \(Double(plan.middle).short)"
            let open = "appends beside a transaction open for \(Int(plan.openTransaction.seconds)) s, times slower"
            return [
                Reading(
                    "append at \(sizes), times slower", now: large.rate, before: small.rate,
                    slowerBy: small.rate / large.rate, "events/s", .atMost(1.3)),
                Reading(
                    "page at \(sizes), times slower", now: large.page, before: small.page,
                    slowerBy: large.page / small.page, "ms", .atMost(1.3)),
                Reading(
                    "skein verify at \(tenfold), times slower", now: grown.verification, before: middle.verification,
                    slowerBy: grown.verification / middle.verification, "s", .atMost(12)),
                Reading(
                    "redacting an account at \(tenfold), times slower", now: grown.redaction,
                    before: middle.redaction, slowerBy: grown.redaction / middle.redaction, "ms", .atMost(1.5)),
                Reading(
                    open, now: beside, before: before, slowerBy: before / beside, "events/s", .atMost(1.2)),
            ]
        }
    }

    func submitFindings(_ count: Int, of client: APIClient) async throws {
        for number in 0..<count {
            let answer = try await client.post("/v1/sightings", Array(Submissions.body(number).utf8))
            try answer.expect(201, "submitting")
        }
    }

    private func figures(
        at events: Int64, _ filled: inout FilledLog, _ log: ServedLog
    ) async throws -> Figures {
        try await fill(upTo: events, &filled, log)
        let page = try await pageLatency(try await log.signedIn())
        let rate = try await appendRate(log)
        show("at \(events): \(rate.short) events/s, a page in \(page.short) ms, load \(LoadAverage.now)")
        return Figures(rate: rate, page: page)
    }

    private func fill(upTo events: Int64, _ filled: inout FilledLog, _ log: ServedLog) async throws {
        let took = try await AppendLoad.timed { try await filled.fill(upTo: events) }
        show("filled to \(events) in \(took.seconds.short) s")
        let followed = try await AppendLoad.timed { try await log.service.waitUntilFollowed() }
        show("followed in \(followed.seconds.short) s more")
    }

    /// The median of as many runs as the plan has pairs.
    private func appendRate(_ log: ServedLog) async throws -> Double {
        var rates: [Double] = []
        for _ in 0..<laboratory.plan.pairs {
            try await log.service.waitUntilFollowed()
            try await laboratory.checkpoint()
            rates.append(try await append(laboratory.plan.appended))
        }
        return rates.median
    }

    private func append(_ count: Int) async throws -> Double {
        let load = AppendLoad()
        let commands = try load.commands(count)
        return try await load.append(commands, to: try laboratory.service(database), logger: laboratory.logger).rate
    }

    private func pageLatency(_ client: APIClient) async throws -> Double {
        var latencies: [Double] = []
        for _ in 0..<300 {
            let took = try await AppendLoad.timed {
                try await client.get("/v1/me/findings?limit=50").expect(200, "a page of findings")
            }
            latencies.append(took.seconds * 1_000)
        }
        return latencies.median
    }

    /// Appends all the while that another transaction has a snapshot and an id of its own.
    /// - Returns: events a second before, and while it was at its oldest.
    private func openTransaction(_ log: ServedLog) async throws -> (before: Double, beside: Double) {
        let before = try await appendRate(log)
        let owner = try laboratory.owner(database)
        return try await laboratory.withConnection(owner) { connection in
            try await connection.query("begin isolation level repeatable read")
            try await connection.query("select pg_current_xact_id(), (select count(*) from log.head)")
            let end = ContinuousClock.now + laboratory.plan.openTransaction
            while .now < end { _ = try await append(laboratory.plan.appended / 4) }
            let beside = try await appendRate(log)
            try await connection.query("rollback")
            return (before, beside)
        }
    }
}

extension Reading {
    /// Compares a figure now with one before: how many times slower it has become.
    fileprivate init(
        _ name: String, now: Double, before: Double, slowerBy ratio: Double, _ unit: String, _ aim: Aim
    ) {
        self.init(
            name: name, ours: "\(now.short) \(unit)", reference: "\(before.short) \(unit)", ratio: ratio.short,
            aim: aim.text, isMet: aim.isMet(by: ratio))
    }
}
