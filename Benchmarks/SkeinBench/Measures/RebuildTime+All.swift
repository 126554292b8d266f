import EventLog
import Postgres
import ReadModels

/// All read models rebuilt, one after the other, from a log with events of all kinds.
extension RebuildTime {
    func runAll() async throws -> [Reading] {
        let database = "allrebuilt"
        try await ServedLog.with(laboratory, database: database) { log in try await fill(log) }
        try await laboratory.withConnection(try laboratory.owner(database)) { _ = try await $0.query("vacuum analyze") }
        let byHand = try laboratory.script("findings_by_hand.sql")
        let service = try laboratory.service(database)
        let pairs = try await PostgresPool.withPool(service, .measuring, logger: laboratory.logger) { pool in
            try await Pairs.taken(laboratory.plan.pairs, "rebuild of all models") {
                try await laboratory.checkpoint()
                return try await AppendLoad.timed { try await rebuildAll(pool) }.seconds
            } reference: {
                try await insertByHand(byHand, into: database).seconds
            }
        }
        try await laboratory.dropDatabase(database)
        let events = Double(laboratory.plan.rebuilt).short
        return [
            Reading("rebuild of all models, \(events) events, seconds", pairs, unit: "s", aim: .atMost(4))
        ]
    }

    private func rebuildAll(_ pool: PostgresPool) async throws {
        for model in ReadModel.all {
            let took = try await AppendLoad.timed {
                _ = try await ModelRebuilder(pool, logger: laboratory.logger).rebuild(model)
            }
            show("  \(model.name) \(took.seconds.short) s")
        }
    }

    /// A third are imported; a third are sightings with photos, and decisions on both; the rest are sightings, of which
    /// some are corrected.
    private func fill(_ log: ServedLog) async throws {
        let (events, database) = (laboratory.plan.rebuilt, log.service.database)
        let sightings = Int(events / 11)
        var photos = try await FilledPhotos(laboratory, database: database)
        try await photos.fill(upTo: sightings)
        try await FilledSeasons(log).fill(Int(events / 3))
        var rest = try await FilledLog(laboratory, database: database, after: sightings)
        try await rest.fill(upTo: events)
        try await log.service.waitUntilFollowed()
    }
}
