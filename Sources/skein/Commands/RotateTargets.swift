import ArgumentParser
import Domain
import Foundation
import Logging
import Service

/// `skein rotate-targets`
struct RotateTargets: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-targets",
        abstract: "Choose the targets of the running week, where none are chosen yet.",
        discussion: """
            `skein serve` does this by itself. Any number of processes may do it at once: the first choice counts. \
            Weeks that passed without a choice are recorded as missed. A week's targets can be chosen ten minutes \
            after it has begun in the region; until then the command prints when, and changes nothing. Ends with \
            status 1 if the read models have not reached the position that counts within a minute (is `skein serve` \
            running?), or if the database rejects a statement for a region; the others are chosen all the same.
            """)

    @OptionGroup var options: DatabaseOptions

    @Option(help: "Only this region, such as alaska; may be repeated (default: all).")
    var region: [RegionCode] = []

    @Option(help: "Another week than the running one, such as 2026-W18.")
    var week: ISOWeek?

    @Flag(help: "Print what would be chosen, with scores, and change nothing.")
    var dryRun = false

    func run(on database: Database, logger: Logger) async throws {
        try await UseCases.with(database, try .find(), logger: logger) { cases in
            let deadline = ContinuousClock.now.advanced(by: .seconds(60))
            while true {
                let results = try await rotate(cases)
                let isBehind = results.contains { $0.outcome == .behind }
                if !isBehind || ContinuousClock.now >= deadline {
                    try await print(results, cases)
                    if isBehind || results.contains(where: \.isFailed) { throw ExitCode.failure }
                    return
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private func rotate(_ cases: UseCases) async throws -> [TargetRotation.Result] {
        do {
            return try await cases.targets.rotation.run(region.isEmpty ? nil : region, week: week, isDry: dryRun)
        } catch let error as RuleViolation {
            throw ValidationError("--region \(error.message)")
        }
    }

    private func print(_ results: [TargetRotation.Result], _ cases: UseCases) async throws {
        try await cases.ground.catalogue.refresh()
        for result in results {
            Swift.print(TargetTable(result, names: cases.ground.catalogue.names, withScores: dryRun).text)
        }
    }
}

/// The result of a rotation for one region and week, for people.
struct TargetTable {
    private let result: TargetRotation.Result
    private let names: TaxonNames
    private let withScores: Bool

    init(_ result: TargetRotation.Result, names: TaxonNames, withScores: Bool) {
        (self.result, self.names, self.withScores) = (result, names, withScores)
    }

    /// A line for the week, and one for each target.
    var text: String {
        ([heading] + targets.map(line)).joined(separator: "\n")
    }

    private var heading: String {
        let subject = "\(result.region) \(result.week)"
        switch result.outcome {
        case .early(let due): return "\(subject): cannot be chosen before \(due)"
        case .behind: return "\(subject): the read model sightings_public has not reached the position that counts"
        case .withoutTaxa: return "\(subject): there are no taxa yet"
        case .missed: return "\(subject): missed"
        case .beforeFirst: return "\(subject): before the first choice of the region"
        case .failed(let reason): return "\(subject): not chosen: \(reason)"
        case .chosen(let choice): return "\(subject): chosen\(note(choice))"
        case .settled(.chosen(let choice)): return "\(subject): chosen before\(note(choice))"
        case .settled(.missed): return "\(subject): missed before"
        case .settled(.open), .settled(.redacted): return "\(subject): redacted"
        }
    }

    private func note(_ choice: TargetsChosen) -> String {
        let relaxed = choice.relaxed.map(\.rawValue).joined(separator: ", ")
        return relaxed.isEmpty ? "" : " (relaxed: \(relaxed))"
    }

    private var targets: [ChosenTarget] {
        switch result.outcome {
        case .chosen(let choice), .settled(.chosen(let choice)): choice.targets
        case .early, .behind, .withoutTaxa, .missed, .beforeFirst, .failed, .settled: []
        }
    }

    private func line(_ target: ChosenTarget) -> String {
        let summary = names.summary(of: target.taxon)
        let name = summary.map { "\($0.commonName ?? $0.scientificName) (\($0.scientificName))" } ?? "\(target.taxon)"
        var line = "  \(target.difficulty?.rawValue ?? "unknown")  \(name)  [\(target.basis.rawValue)]"
        guard withScores, let score = target.score else { return line }
        line += "  findability \(score.findability), recency \(score.recency.map { "\($0)" } ?? "new"), "
        line += "\(score.records) records by \(score.observers) observers in \(score.seasons) seasons"
        return line
    }
}

extension RegionCode: ExpressibleByArgument {
    /// - Returns: nil for anything but the form of a code.
    public init?(argument: String) {
        guard let code = try? RegionCode(argument) else { return nil }
        self = code
    }
}

extension ISOWeek: ExpressibleByArgument {
    /// - Returns: nil for anything but a week.
    public init?(argument: String) {
        guard let week = try? ISOWeek(argument) else { return nil }
        self = week
    }
}
