import ArgumentParser
import Domain
import EventLog
import FoundationEssentials
import Imports
import Logging
import Postgres
import ReadModels
import Service
import Vault

/// `skein import`
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import records, taxa or a list of sensitive taxa; list imports, or undo one.",
        subcommands: [Occurrences.self, Taxa.self, Sensitivity.self, List.self, Undo.self])
}

extension Import {
    /// `skein import list`
    struct List: DatabaseCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every dataset and its imports, with their ids and outcomes.")

        @OptionGroup var options: DatabaseOptions

        func run(on database: Database, logger: Logger) async throws {
            try await database.migrate(Installation.find(), logger: logger)
            let lines = try await database.withPool(logger: logger) { pool in
                try await Follower(
                    .datasets, pool: pool, head: HeadSignal(), progress: ModelProgress(), logger: logger
                ).catchUp()
                return try await Self.lines(DatasetQueries(pool), ContentStore(database: pool))
            }
            print(lines.isEmpty ? "no dataset has been imported" : lines.joined(separator: "\n"))
        }

        private static func lines(_ queries: DatasetQueries, _ contents: ContentStore) async throws -> [String] {
            let datasets = try await queries.datasets()
            let titles = try await contents.content(of: datasets.map(\.id.uuid), fields: [.title])
            var lines: [String] = []
            for dataset in datasets {
                lines.append("\(titles[dataset.id.uuid]?[.title] ?? "(title redacted)")  \(dataset.id)")
                for batch in try await queries.batches(of: dataset.id) {
                    lines.append("  \(batch.id.uuid.uuidString.lowercased())  \(story(of: batch))")
                }
            }
            return lines
        }

        private static func story(of batch: BatchRow) -> String {
            let began = batch.startedAt?.text() ?? "-"
            if let undone = batch.undoneAt {
                return "\(began)  undone \(undone.text()): " + summary(of: batch)
            }
            guard let rows = batch.outcome else { return "\(began)  not finished" }
            return """
                \(began)  accepted \(rows.accepted), known \(rows.known), corrected \(rows.corrected), \
                withdrawn \(rows.withdrawn), rejected \(rows.rejected)
                """
        }

        private static func summary(of batch: BatchRow) -> String {
            let undone = batch.undoing
            return """
                \(undone?.withdrawn ?? 0) records withdrawn, \(undone?.setBack ?? 0) set back, \
                \(undone?.broughtBack ?? 0) restored, \(undone?.left ?? 0) left
                """
        }
    }
}

extension Import {
    /// `skein import undo`
    struct Undo: ImportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore the records that an import changed to their state before it.",
            discussion: """
                New records are withdrawn, corrected ones get their former content back, and withdrawn ones are \
                restored. Records that have changed since are left as they are, and listed.
                """)

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The id of the import, as printed in its summary.")
        var batch: String

        func validate() throws {
            _ = try id()
        }

        func run(in session: ImportSession) async throws {
            let batch = try id()
            let undo = ImportUndo(log: session.log)
            print(try await ProgressBar.during { try await undo.run(batch, left: { print($0) }, progress: $0) })
        }

        private func id() throws -> BatchID {
            guard let id = BatchID(batch) else { throw ValidationError("BATCH must be a UUID") }
            return id
        }
    }
}

extension Import {
    /// `skein import taxa`
    struct Taxa: ImportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import a checklist: Skein's own table, or AviList's, plain or gzip.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The checklist.")
        var file: String

        func run(in session: ImportSession) async throws {
            print(try await ProgressBar.during { try await TaxaImport(log: session.log).run(file, progress: $0) })
        }
    }

    /// `skein import sensitivity`
    struct Sensitivity: ImportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the list of sensitive taxa with a table of scientificName, category, reason and source.")

        @OptionGroup var options: DatabaseOptions

        @Argument(help: "The table.")
        var file: String

        func run(in session: ImportSession) async throws {
            print(try await SensitivityImport(log: session.log).run(file))
        }
    }
}
