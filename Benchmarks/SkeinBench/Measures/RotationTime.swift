import Domain
import Foundation
import Postgres
import Service

/// The rotation of all regions over many records, against the same over few.
///
/// It runs in this process, one statement after the other. The clock of its targets is in the next week, which has all
/// records before its Monday. Its choices are not appended: they would be before that Monday, too, and count.
struct RotationTime: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let plan = laboratory.plan
        return try await withLog(of: plan.manyRecords, "many_records") { many in
            try await withLog(of: plan.fewRecords, "few_records") { few in
                // Once before, to fill caches.
                for rotation in [many, few] { _ = try await seconds(rotation) }
                let pairs = try await Pairs.taken(plan.pairs, "rotation in s") {
                    try await seconds(many)
                } reference: {
                    try await seconds(few)
                }
                let records = Double(plan.manyRecords).short
                return [
                    Reading("rotation of all regions, \(records) records", pairs.ours, unit: "s", aim: .atMost(5)),
                    Reading(
                        "the same against \(Double(plan.fewRecords).short) records", pairs, unit: "s",
                        aim: .atMost(1.3)),
                ]
            }
        }
    }

    private func withLog<Value: Sendable>(
        of records: Int, _ database: String, _ body: @Sendable (TargetRotation) async throws -> Value
    ) async throws -> Value {
        try await ServedLog.with(laboratory, database: database) { log in
            let took = try await AppendLoad.timed { try await FilledSeasons(log).fill(records) }
            show("filled with \(records) records in \(took.seconds.short) s")
            let followed = try await AppendLoad.timed { try await log.service.waitUntilFollowed() }
            show("followed in \(followed.seconds.short) s more")
            try await laboratory.withConnection(try laboratory.owner(database)) {
                _ = try await $0.query("vacuum analyze")
            }
            let service = try laboratory.service(database)
            // On Wednesday, Monday is over in all regions.
            let monday = ISOWeek(of: Instant.now.date()).adding(weeks: 1).monday
            let wednesday = Instant(startOf: monday.adding(days: 2))
            return try await PostgresPool.withPool(service, .measuring, logger: laboratory.logger) { pool in
                let cases = try await laboratory.useCases(service, pool, in: "rotation", now: { wednesday })
                return try await body(cases.targets.rotation)
            }
        }
    }

    /// Chooses for all regions.
    /// - Throws: ``ProgramError`` unless each got three targets.
    private func seconds(_ rotation: TargetRotation) async throws -> Double {
        var results: [TargetRotation.Result] = []
        let took = try await AppendLoad.timed { results = try await rotation.run(isDry: true) }
        for result in results {
            guard case .chosen(let event) = result.outcome, event.targets.count == TargetsDecider.count else {
                throw ProgramError(description: "\(result.region) \(result.week): \(result.outcome)")
            }
        }
        return took.seconds
    }
}
