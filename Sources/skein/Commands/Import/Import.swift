internal import ArgumentParser
internal import Domain
internal import EventLog
internal import FoundationEssentials
internal import Logging
internal import Postgres
internal import ReadModels
internal import Service
internal import Vault

/// `skein import`
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring records, taxa or a sensitivity list into the log, or take an import back.",
        subcommands: [Occurrences.self, Taxa.self, Sensitivity.self, List.self, Undo.self])
}

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

extension Import {
    /// `skein import undo`
    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw, by events, every record that an import brought or touched last.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The import's id, as its summary printed it.")
        var batch: String

        func run() async throws {
            guard let batch = BatchID(batch) else { throw ValidationError("BATCH must be a UUID") }
            let logger = try Logger.program(normally: .warning)
            try await ImportSession.run(options, logger: logger) { session in
                let bar = ProgressBar()
                let summary = try await ImportUndo(log: session.log).run(batch) { bar.show($0) }
                bar.clear()
                print(summary)
            }
        }
    }
}
