internal import Composition
internal import Domain
internal import EventLog
internal import Foundation
internal import Logging
internal import NIOConcurrencyHelpers
internal import Postgres
internal import ReadModels
internal import Service

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
                try await cases.follower(of: .taxa, logger: logger).catchUp()
                try await cases.catalogue.refresh()
                try await body(
                    ImportSession(log: cases.imports, names: cases.catalogue.names, places: cases.places.index))
            }
        }
    }
}

/// A line on the terminal with the progress of an import; nothing if standard error is not a terminal.
final class ProgressBar: Sendable {
    private static let width = 30
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = NIOLockedValueBox(ContinuousClock.now - .seconds(1))

    /// Shows the progress, at most ten times a second.
    func show(_ progress: ImportProgress) {
        guard isTerminal else { return }
        let isDue = shown.withLockedValue { last in
            guard last.duration(to: .now) > .milliseconds(100) else { return false }
            last = .now
            return true
        }
        if isDue { write("\r\u{1B}[K" + Self.line(progress)) }
    }

    /// Clears the line.
    func clear() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private static func line(_ progress: ImportProgress) -> String {
        let filled = Int(progress.fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        let left = progress.remaining.map { " \(Int($0 / .seconds(1))) s left" } ?? ""
        return "\(progress.phase.rawValue) [\(bar)] \(progress.rows) rows, \(Int(progress.rate))/s\(left)"
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
