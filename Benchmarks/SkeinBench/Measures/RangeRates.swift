/// Ranges: tables of all species against `scripts/reference`, answers against pgbench and with many records against
/// few, surveys against CSV exports, and imports with visits against those without.
struct RangeRates: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        let plan = laboratory.plan
        let answers = try await FilledRanges.with(plan.manyRanged, laboratory, database: "many_ranged") { many in
            let alone = try await RangeTableTime(many).run() + [try await rate(many)]
            return try await FilledRanges.with(plan.fewRanged, laboratory, database: "few_ranged") { few in
                alone + (try await RangeGrowth(many, against: few).run())
            }
        }
        return answers + (try await SurveyRate(laboratory).run()) + (try await VisitImportRate(laboratory).run())
    }

    /// Requests for the range of a species a second, against pgbench with the very statements that the route sends.
    private func rate(_ filled: FilledRanges) async throws -> Reading {
        let rate = RouteRate(filled.log) { try await filled.log.signedIn() }
        return try await rate.reading(
            "GET taxa/{id}/ranges of \(FilledRanges.chosen) records", filled.path, aim: 0.3)
    }
}
