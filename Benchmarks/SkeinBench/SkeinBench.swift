import ArgumentParser
import Foundation
import UnixSignals

/// The measures of the project: Skein beside pgbench and plain SQL, on one server of its own.
@main
struct SkeinBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skein-bench",
        abstract: "Measure Skein against pgbench and plain SQL, in alternating pairs on one private PostgreSQL.",
        discussion: "Benchmarks/README.md says what each measure does and how to read the table.")

    @Option(help: "Some of \(Measure.allCases.map(\.rawValue).joined(separator: ", ")); all without it.")
    var only: MeasureList?

    @Flag(help: "Shorter runs, fewer pairs, smaller logs: for a look, not for the record.")
    var quick = false

    @Option(help: "How many alternating pairs (default 5, quick 3).")
    var pairs: Int?

    @Option(help: "Photos in the large log of photo-growth (default 1000000, quick 30000).")
    var photos: Int?

    @Option(help: "Records that export exports (default 200000, quick 40000).")
    var exported: Int?

    @Option(help: "Records in the large log of list (default 1000000, quick 100000).")
    var listed: Int?

    @Option(help: "Records in the large log of ranges, in steps of 5000 (default 1000000, quick 40000).")
    var ranged: Int?

    @Option(help: "The skein program (default: beside this one).")
    var skein: String?

    @Option(help: "The skein program of another build, which before compares with.")
    var other: String?

    @Option(help: "The NEON file for the import (default: in SKEIN_TEST_DATA, or ../shared/data).")
    var records: String?

    func validate() throws {
        if let pairs, !(1...99).contains(pairs) { throw ValidationError("--pairs is from 1 to 99") }
        if let photos, photos < 1 { throw ValidationError("--photos is at least 1") }
        if let exported, exported < 1 { throw ValidationError("--exported is at least 1") }
        if let listed, listed < 1 { throw ValidationError("--listed is at least 1") }
        if let ranged, ranged < 10_000 { throw ValidationError("--ranged is at least 10000") }
        if other == nil, only?.measures.contains(.before) == true {
            throw ValidationError("before needs --other, the skein program of another build")
        }
    }

    func run() async throws {
        var plan = quick ? Plan.quick : Plan.full
        if let pairs { plan.pairs = pairs }
        if let photos { plan.manyPhotos = photos }
        if let exported { plan.exported = exported }
        if let listed { plan.manyListed = listed }
        if let ranged { plan.manyRanged = ranged }
        if let records { plan.records = records }
        plan.other = other
        let measures = only?.measures ?? Measure.allCases.filter { $0 != .before || other != nil }
        let program = skein ?? Self.besideThisProgram("skein")
        for program in [program] + [other].compactMap(\.self) {
            guard FileManager.default.isExecutableFile(atPath: program) else {
                throw ValidationError("\(program) is not there: swift build --configuration release --product skein")
            }
        }
        try await untilSignalled { [plan] in
            try await Laboratory.with(plan: plan, skein: program) { laboratory in
                try await Session(laboratory: laboratory).run(measures)
            }
        }
    }

    private static func besideThisProgram(_ name: String) -> String {
        let program = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return program.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
    }
}

/// Runs something that a SIGINT or SIGTERM cancels, so that its servers are stopped in either case.
private func untilSignalled(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body() }
        group.addTask {
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
                show("stopping: \(signal)")
                throw ExitCode(130)
            }
            // Cancelled: the body has ended.
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}
