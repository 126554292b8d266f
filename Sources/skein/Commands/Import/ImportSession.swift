import Domain
import EventLog
import Foundation
import Imports
import Logging
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import Service

/// The inputs of an import: the log, and the names and places at its start.
struct ImportSession: Sendable {
    let log: ImportLog
    let names: TaxonNames
    let places: PlaceIndex
}

/// A command that imports into the log, or takes an import back.
protocol ImportCommand: DatabaseCommand, Sendable {
    /// Runs when the taxa are up to date.
    func run(in session: ImportSession) async throws
}

extension ImportCommand {
    func run(on database: Database, logger: Logger) async throws {
        let installation = try Installation.find()
        try await UseCases.with(database, installation, logger: logger) { cases in
            try await ReferenceData(cases.imports, installation, logger: logger).load()
            try await cases.follower(of: .taxa, logger: logger).catchUp()
            let (catalogue, places) = (cases.ground.catalogue, cases.ground.places.index)
            try await catalogue.refresh()
            try await run(in: ImportSession(log: cases.imports, names: catalogue.names, places: places))
        }
    }
}

/// A line on the terminal with the progress of an import; nothing if standard error is not a terminal.
final class ProgressBar: Sendable {
    private static let width = 30
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = NIOLockedValueBox(ContinuousClock.now - .seconds(1))

    /// Shows the progress of an import until it ends.
    static func during<Summary>(
        _ work: (@escaping ImportProgressHandler) async throws -> Summary
    ) async throws -> Summary {
        let bar = ProgressBar()
        let summary = try await work { bar.show($0) }
        bar.clear()
        return summary
    }

    /// Shows the progress, at most ten times a second.
    private func show(_ progress: ImportProgress) {
        guard isTerminal else { return }
        let isDue = shown.withLockedValue { last in
            guard last.duration(to: .now) > .milliseconds(100) else { return false }
            last = .now
            return true
        }
        if isDue { write("\r\u{1B}[K" + Self.line(progress)) }
    }

    private func clear() {
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
