import Domain
import EventLog
import Logging
import Postgres
import ReadModels
import Service

/// The inputs of an import: the log, and the names and places at its start.
struct ImportSession: Sendable {
    let log: ImportLog
    let names: TaxonNames
    let places: PlaceIndex

    /// Opens the database, brings the taxa up to date, and runs an import.
    static func run(
        _ options: DatabaseOptions, logger: Logger, _ body: @Sendable (ImportSession) async throws -> Void
    ) async throws {
        let installation = try Installation.find()
        try await Database.with(options, logger: logger) { database in
            try await UseCases.with(database, installation, logger: logger) { cases in
                try await ReferenceData(cases.imports, installation, logger: logger).load()
                try await cases.follow(.taxa, logger: logger)
                try await cases.catalogue.refresh()
                try await body(
                    ImportSession(log: cases.imports, names: cases.catalogue.names, places: cases.places.index))
            }
        }
    }
}
