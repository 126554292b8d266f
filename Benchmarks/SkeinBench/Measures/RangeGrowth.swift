import Foundation

/// The 99th percentiles of answers about ranges, with many records against few: of a species with as many records in
/// either log, and of regions.
struct RangeGrowth: Sendable {
    private let many: FilledRanges
    private let few: FilledRanges

    init(_ many: FilledRanges, against few: FilledRanges) {
        (self.many, self.few) = (many, few)
    }

    func run() async throws -> [Reading] {
        // Before the connections are opened: it may take longer than their idle timeout.
        try await many.log.laboratory.checkpoint()
        return try await KeptConnection.with(many.log.service.client) { manyConnection in
            try await KeptConnection.with(few.log.service.client) { fewConnection in
                [
                    try await reading(
                        "ranges of a species with \(FilledRanges.chosen) records", [many.path], manyConnection,
                        [few.path], fewConnection, aim: 1.5),
                    try await reading(
                        "southernmost records of a region", Self.paths("ranges?end=south"), manyConnection,
                        Self.paths("ranges?end=south"), fewConnection, aim: 2),
                    try await reading(
                        "species of a region", Self.paths("species"), manyConnection, Self.paths("species"),
                        fewConnection, aim: 2),
                ]
            }
        }
    }

    private static func paths(_ question: String) -> [String] {
        FilledRanges.regions.map { "/v1/regions/\($0)/\(question)" }
    }

    private func reading(
        _ name: String, _ paths: [String], _ connection: KeptConnection, _ others: [String],
        _ otherConnection: KeptConnection, aim: Double
    ) async throws -> Reading {
        let plan = many.log.laboratory.plan
        // Once before measuring, to fill caches.
        for path in paths { try await connection.get(path).expect(200, path) }
        for path in others { try await otherConnection.get(path).expect(200, path) }
        let requests = AlternatingRequests(count: plan.pages)
        let pairs = try await Pairs.together(plan.pairs, "\(name), p99 in ms") {
            try await requests.p99(paths, connection, against: others, otherConnection)
        }
        return Reading(
            "\(name), p99 at \(many.records) records against \(few.records)", pairs, unit: "ms", aim: .atMost(aim))
    }
}
