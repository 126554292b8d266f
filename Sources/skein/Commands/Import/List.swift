import ArgumentParser
import Domain
import EventLog
import FoundationEssentials
import Logging
import Postgres
import ReadModels
import Vault

extension Import {
    /// `skein import list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every dataset and its imports, with their ids and outcomes.")

        @OptionGroup var options: DatabaseOptions

        func run() async throws {
            let logger = try Logger.program(normally: .warning)
            let lines = try await Database.with(options, logger: logger) { database in
                try await database.migrate(Installation.find(), logger: logger)
                return try await database.withPool(logger: logger) { pool in
                    try await Follower(
                        .datasets, pool: pool, head: HeadSignal(), progress: ModelProgress(), logger: logger
                    ).catchUp()
                    return try await Self.lines(DatasetQueries(pool), ContentStore(database: pool))
                }
            }
            print(lines.isEmpty ? "no dataset has been imported" : lines.joined(separator: "\n"))
        }

        private static func lines(_ queries: DatasetQueries, _ contents: ContentStore) async throws -> [String] {
            let datasets = try await queries.datasets()
            let titles = try await contents.content(of: datasets.map(\.id.uuid), fields: [.title])
            var lines: [String] = []
            for dataset in datasets {
                lines.append(titles[dataset.id.uuid]?[.title] ?? "(title erased)")
                for batch in try await queries.batches(of: dataset.id) {
                    lines.append("  \(batch.id.uuid.uuidString.lowercased())  \(story(of: batch))")
                }
            }
            return lines
        }

        private static func story(of batch: BatchRow) -> String {
            let began = batch.startedAt?.text() ?? "-"
            if let undone = batch.undoneAt {
                return "\(began)  undone \(undone.text()), \(batch.undoneRecords ?? 0) records withdrawn"
            }
            guard let rows = batch.outcome else { return "\(began)  not finished" }
            return """
                \(began)  accepted \(rows.accepted), known \(rows.known), corrected \(rows.corrected), \
                withdrawn \(rows.withdrawn), rejected \(rows.refused)
                """
        }
    }
}
