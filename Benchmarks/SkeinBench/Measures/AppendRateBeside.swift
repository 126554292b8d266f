import Foundation
import Postgres
import PrivateServer

/// Events appended a second beside work on the whole log, against the same without it.
struct AppendRateBeside: Sendable {
    /// Something that reads everything there is.
    private struct Work {
        let name: String
        let run: @Sendable () async throws -> Void

        /// Work that takes longer counts as work that does not end.
        private static let limit = Duration.seconds(600)

        /// - Throws: ``ProgramError`` when the work does not end; what it throws itself, such as a rebuild that does
        ///   not catch up with the appends.
        func runInTime() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await run() }
                group.addTask {
                    try await Task.sleep(for: Self.limit)
                    throw ProgramError(description: "\(name) did not end within \(Self.limit)")
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private let laboratory: Laboratory
    private let database = "beside"

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        try await laboratory.makeLog(database)
        let readings = try await ServedLog.with(laboratory, database: database) { log in
            var filled = try await FilledLog(laboratory, database: database)
            try await filled.fill(upTo: laboratory.plan.rebuilt)
            try await log.service.waitUntilFollowed()
            try await laboratory.withConnection(try laboratory.owner(database)) {
                _ = try await $0.query("vacuum analyze")
            }
            var readings: [Reading] = []
            for work in try works() {
                let pairs = try await Pairs.taken(laboratory.plan.pairs, "append beside \(work.name)") {
                    try await rate(log) { try await work.runInTime() }
                } reference: {
                    try await rate(log) { try await Task.sleep(for: .seconds(laboratory.plan.seconds)) }
                }
                readings.append(Reading("append beside \(work.name)", pairs, unit: "events/s", aim: .atLeast(0.5)))
            }
            return readings
        }
        try await laboratory.dropDatabase(database)
        return readings
    }

    private func works() throws -> [Work] {
        let backup = try Program("pg_basebackup")
        return [
            Work(name: "skein verify") { try await skein(["verify"]) },
            // The public model folds more slowly than one appender appends: its rebuild might not catch up.
            Work(name: "skein rebuild") { try await skein(["rebuild", "sightings_exact"]) },
            Work(name: "pg_basebackup") { try await backUp(with: backup) },
        ]
    }

    private func skein(_ arguments: [String]) async throws {
        try await laboratory.skein.run(
            arguments, environment: laboratory.environment(database), in: laboratory.folder)
    }

    private func backUp(with program: Program) async throws {
        let folder = laboratory.folder + "/backup"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await program.run(
            [
                "--host", laboratory.server.socketDirectory, "--port", "\(PrivateServer.port)",
                "--username", PrivateServer.Role.owner.rawValue, "--pgdata", folder, "--checkpoint", "fast",
            ], in: laboratory.folder)
    }

    /// Measures from the beginning of the work, repeated for as long as a run lasts, to its end.
    private func rate(
        _ log: ServedLog, while work: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        try await log.service.waitUntilFollowed()
        try await laboratory.checkpoint()
        let seconds = Duration.seconds(laboratory.plan.seconds)
        let (rate, longest) = try await AppendLoad().append(
            to: try laboratory.service(database), logger: laboratory.logger
        ) {
            let end = ContinuousClock.now + seconds
            repeat { try await work() } while .now < end
        }
        show("  \(rate.short) events/s, the longest append took \((longest.seconds * 1_000).short) ms")
        return rate
    }
}
