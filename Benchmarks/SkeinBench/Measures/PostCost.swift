import Foundation
import Postgres

/// The processor time of a submission, by process, against that of a one-row INSERT by pgbench.
struct PostCost: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let wrk = try WrkLoad(laboratory)
        return try await ServedLog.with(laboratory, database: "cost") { log in
            _ = try await wrk.run(.post, try await log.signedIn(), connections: 64, seconds: 2)
            let answer = try await log.signedIn().post("/v1/sightings", Array(Submissions.body(1).utf8)).body
            show("  a bare route \(try await bareRoute(wrk, answer).short) µs")
            let pgbench = try PgbenchLoad.inserts(laboratory, payload: try await log.payload())
            let pairs = try await Pairs.taken(laboratory.plan.pairs, "cost of a submission") {
                try await submission(log, wrk)
            } reference: {
                try await insert(pgbench)
            }
            return [
                Reading("processor time of a submission, 64 connections", pairs, unit: "µs", aim: .atMost(2.2))
            ]
        }
    }

    /// Microseconds of the service and of all its PostgreSQL processes, until everything is folded.
    private func submission(_ log: ServedLog, _ wrk: WrkLoad) async throws -> Double {
        let client = try await log.signedIn()
        let process = log.service.process.processIdentifier
        try await log.service.waitUntilFollowed()
        try await laboratory.checkpoint()
        let (before, began) = (try await log.head(), ProcessorTime.seconds(of: process) ?? 0)
        let time = try await BackendTime.during(
            {
                _ = try await wrk.run(.post, client, connections: 64)
                try await log.service.waitUntilFollowed()
            }, laboratory, database: log.service.database)
        let service = (ProcessorTime.seconds(of: process) ?? 0) - began
        let each = 1_000_000 / Double(try await log.head() - before)
        let other = time.all - time.append - time.folds
        show(
            "  service \((service * each).short) µs, append \((time.append * each).short) µs, "
                + "folds \((time.folds * each).short) µs, other statements \((other * each).short) µs")
        return (service + time.all) * each
    }

    /// Microseconds of a bare Hummingbird route that reads the same body and gives the same response, in this process:
    /// what is left of the service's when it does nothing of its own.
    private func bareRoute(_ wrk: WrkLoad, _ answer: [UInt8]) async throws -> Double {
        try await BareServer.with(laboratory, path: "/v1/sightings", body: answer) { client in
            _ = try await wrk.run(.post, client, connections: 64, seconds: 2)
            let seconds = laboratory.plan.seconds
            let began = ProcessorTime.seconds(of: getpid()) ?? 0
            let rate = try await wrk.run(.post, client, connections: 64, seconds: seconds)
            let used = (ProcessorTime.seconds(of: getpid()) ?? 0) - began
            return used * 1_000_000 / (rate * Double(seconds))
        }
    }

    /// Microseconds of pgbench and of its PostgreSQL processes.
    private func insert(_ pgbench: PgbenchLoad) async throws -> Double {
        try await laboratory.checkpoint()
        let (before, began) = (try await inserted(), ProcessorTime.secondsOfEndedChildren)
        let time = try await BackendTime.during(
            { _ = try await pgbench.run() }, laboratory, database: Laboratory.reference)
        let client = ProcessorTime.secondsOfEndedChildren - began
        return (client + time.all) * 1_000_000 / Double(try await inserted() - before)
    }

    private func inserted() async throws -> Int64 {
        try await laboratory.withConnection(try laboratory.owner(Laboratory.reference)) { connection in
            try await connection.query("select count(*) as rows from reference.events").onlyRow().decode("rows")
        }
    }
}
