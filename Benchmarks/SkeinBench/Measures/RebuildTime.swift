import EventLog
import Postgres
import ReadModels

/// Findings rebuilt from a large log with corrections, against one hand-written INSERT … SELECT from the same events.
struct RebuildTime: Sendable {
    let laboratory: Laboratory
    private let database = "rebuilt"

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        try await laboratory.makeLog(database)
        var log = try await FilledLog(laboratory, database: database)
        try await log.fill(upTo: laboratory.plan.rebuilt)
        try await laboratory.withConnection(try laboratory.owner(database)) { _ = try await $0.query("vacuum analyze") }
        let service = try laboratory.service(database)
        let byHand = try laboratory.script("findings_by_hand.sql")
        let pairs = try await PostgresPool.withPool(service, .measuring, logger: laboratory.logger) { pool in
            // Events a second, so that more is better, as everywhere else.
            try await Pairs.taken(laboratory.plan.pairs, "rebuild") {
                try await laboratory.checkpoint()
                return try await rate {
                    _ = try await ModelRebuilder(pool, logger: laboratory.logger).rebuild(.sightingsExact)
                }
            } reference: {
                Double(laboratory.plan.rebuilt) / (try await insertByHand(byHand, into: database)).seconds
            }
        }
        let events = Double(laboratory.plan.rebuilt).short
        try await laboratory.dropDatabase(database)
        return [Reading("rebuild of findings, \(events) events", pairs, unit: "events/s", aim: .atLeast(0.85))]
            + (try await runAll())
    }

    /// Inserts the findings of a log with one statement.
    func insertByHand(_ statement: String, into database: String) async throws -> Duration {
        try await laboratory.withConnection(try laboratory.service(database)) { connection in
            try await connection.executeScript(
                """
                set client_min_messages = error; drop schema if exists by_hand cascade; create schema by_hand;
                set search_path = by_hand, public; set work_mem = '64MB'
                """)
            try await connection.executeScript(ReadModel.sightingsExact.table)
            try await laboratory.checkpoint()
            return try await AppendLoad.timed { try await connection.executeScript(statement) }
        }
    }

    private func rate(_ body: () async throws -> Void) async throws -> Double {
        Double(laboratory.plan.rebuilt) / (try await AppendLoad.timed(body)).seconds
    }
}

extension PostgresPoolConfiguration {
    /// For statements that take as long as they take.
    static var measuring: PostgresPoolConfiguration {
        var configuration = PostgresPoolConfiguration()
        (configuration.sharedConnections, configuration.exclusiveConnections) = (1, 3)
        configuration.sharedStatementTimeout = .seconds(3_600)
        return configuration
    }
}
