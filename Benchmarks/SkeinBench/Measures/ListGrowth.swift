import Foundation
import Postgres

/// Pages of 50 of public records under each filter, with many records against few.
///
/// Both services run at once, and get requests in turn.
struct ListGrowth: Sendable {
    /// A log with a number of records.
    private struct Filled: Sendable {
        let log: ServedLog
        let records: FilledLists
    }

    private static let limit = 50

    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    /// - Returns: a reading for each filter, that with the highest ratio last.
    func run() async throws -> [Reading] {
        let plan = laboratory.plan
        return try await withLog(of: plan.manyListed, "many_listed") { many in
            try await withLog(of: plan.fewListed, "few_listed") { few in
                // Before the connections are opened: it may take longer than their idle timeout.
                try await laboratory.checkpoint()
                let taken = try await KeptConnection.with(many.log.service.client) { manyConnection in
                    try await KeptConnection.with(few.log.service.client) { fewConnection in
                        try await pairs((many, manyConnection), (few, fewConnection))
                    }
                }
                return taken.sorted { $0.pairs.ratios.median < $1.pairs.ratios.median }.map { name, pairs in
                    Reading(
                        "list p99 at \(plan.manyListed) records against \(plan.fewListed), \(name)", pairs, unit: "ms",
                        aim: .atMost(1.5))
                }
            }
        }
    }

    private func withLog<Value>(
        of records: Int, _ database: String, _ body: (Filled) async throws -> Value
    ) async throws -> Value {
        try await ServedLog.with(laboratory, database: database) { log in
            let filled = try await FilledLists(log)
            let took = try await AppendLoad.timed { try await filled.fill(records) }
            show("filled with \(records) records in \(took.seconds.short) s")
            let followed = try await AppendLoad.timed { try await log.service.waitUntilFollowed() }
            show("followed in \(followed.seconds.short) s more")
            try await laboratory.withConnection(try laboratory.owner(database)) {
                _ = try await $0.query("vacuum analyze")
            }
            try await filled.check(records)
            return try await body(Filled(log: log, records: filled))
        }
    }

    private func pairs(
        _ many: (Filled, KeptConnection), _ few: (Filled, KeptConnection)
    ) async throws -> [(name: String, pairs: Pairs)] {
        let requests = AlternatingRequests(count: laboratory.plan.pages)
        let (manyLists, fewLists) = (try await lists(many.0, many.1), try await lists(few.0, few.1))
        var taken: [(name: String, pairs: Pairs)] = []
        for (ours, reference) in zip(manyLists, fewLists) {
            // Once before measuring, to fill caches.
            for path in ours.paths { _ = try await page(path, many.1) }
            try await showLast(reference.paths, few.1)
            let pairs = try await Pairs.together(laboratory.plan.pairs, "\(ours.name), p99 in ms") {
                try await requests.p99(ours.paths, many.1, against: reference.paths, few.1)
            }
            taken.append((ours.name, pairs))
        }
        return taken
    }

    /// The first pages under all filters, and the second ones under some.
    private func lists(
        _ filled: Filled, _ connection: KeptConnection
    ) async throws -> [(name: String, paths: [String])] {
        var lists: [(name: String, paths: [String])] = []
        for filter in try await ListFilters.all(filled.records) {
            let paths = filter.queries.map { "/v1/sightings?limit=\(Self.limit)" + ($0.isEmpty ? "" : "&\($0)") }
            lists.append((filter.name, paths))
            guard ListFilters.continued.contains(filter.name) else { continue }
            var seconds: [String] = []
            for path in paths { seconds.append(try await secondPage(of: path, connection)) }
            lists.append((filter.name + ", second page", seconds))
        }
        return lists
    }

    /// Prints how many pages are the last of their lists, which may be less work than full ones.
    private func showLast(_ paths: [String], _ connection: KeptConnection) async throws {
        var last = 0
        for path in paths where try await page(path, connection).next == nil { last += 1 }
        if last > 0 { show("  \(last) of \(paths.count) are last pages at \(laboratory.plan.fewListed) records") }
    }

    /// - Throws: ``ProgramError`` if there is none.
    private func secondPage(of path: String, _ connection: KeptConnection) async throws -> String {
        let next = try await page(path, connection).next
        guard let next = next?.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else {
            throw ProgramError(description: "\(path) has no second page")
        }
        return path + "&after=" + next
    }

    private struct Page: Decodable { let next: String? }

    private func page(_ path: String, _ connection: KeptConnection) async throws -> Page {
        let answer = try await connection.get(path)
        try answer.expect(200, path)
        return try answer.decoded(Page.self)
    }
}
