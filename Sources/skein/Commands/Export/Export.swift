import ArgumentParser
import Domain
import EventLog
import Logging
import Postgres
import ReadModels
import Service

/// `skein export`
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write records to a file; list the exports of the service, or check one.",
        discussion: """
            `skein export --format csv -o FILE` is short for `skein export make --format csv -o FILE`; \
            `skein help export make` explains the options.
            """,
        subcommands: [Make.self, List.self, Verify.self], defaultSubcommand: Make.self)
}

/// A command that reads exports, or makes them. It works with or without a running service: it brings the read models
/// up to the log itself.
protocol ExportCommand: DatabaseCommand, Sendable {
    func run(with session: ExportSession) async throws
}

extension ExportCommand {
    func run(on database: Database, logger: Logger) async throws {
        let (exports, models) = (database.service.forExports, BulkReader.plan.models + ExportQueries.plan.models)
        try await UseCases.with(database, try .find(), logger: logger) { cases in
            for model in models { try await cases.follower(of: model, logger: logger).catchUp() }
            try await cases.ground.catalogue.refresh()
            try await PostgresPool.withPool(exports, .exports, logger: logger) { pool in
                try await run(
                    with: ExportSession(
                        cases: cases, pool: pool, settings: try ExportSettings(dataDirectory: database.dataDirectory),
                        dataDirectory: database.dataDirectory))
            }
        }
    }
}

/// The use cases, connections and settings that the commands of exports use.
struct ExportSession: Sendable {
    let cases: UseCases
    /// The connections of long statements.
    let pool: PostgresPool
    let settings: ExportSettings
    let dataDirectory: String
}

extension Export {
    /// `skein export list`
    struct List: ExportCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the exports of the service, the oldest request first.",
            discussion: """
                One line each, tab-separated: the id, the state, the format, the day as of which it is ("-" for a \
                moment), the rows, the newest revision ("-" for none).
                """)

        @OptionGroup var options: DatabaseOptions

        func run(with session: ExportSession) async throws {
            for view in try await session.cases.exports.reader.all() { print(Self.line(view)) }
        }

        private static func line(_ view: ExportView) -> String {
            let query = view.export.query
            let columns = [
                view.id.description, view.state.rawValue, query.format.rawValue, query.day?.description ?? "-",
                String(view.rows), view.export.revisions.last.map { String($0.revision) } ?? "-",
            ]
            return columns.joined(separator: "\t")
        }
    }
}
