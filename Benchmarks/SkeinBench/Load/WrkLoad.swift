import Foundation

/// Requests as fast as they are answered, sent by wrk on one thread.
struct WrkLoad: Sendable {
    enum Request: Sendable {
        /// The same path over and over.
        case get(String)
        /// Sightings one by one.
        case post
        /// Sightings by the hundred.
        case postBatch
    }

    let laboratory: Laboratory
    private let wrk: Program
    private let bodies: String
    private let batches: String

    init(_ laboratory: Laboratory) throws {
        self.laboratory = laboratory
        wrk = try Program("wrk")
        bodies = laboratory.folder + "/bodies.ndjson"
        batches = laboratory.folder + "/batches.ndjson"
        for (file, lines) in [(bodies, Submissions.bodies), (batches, Submissions.batches)] {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
        }
    }

    /// Sends requests for a number of seconds, by default the plan's.
    /// - Returns: successful responses a second.
    /// - Throws: ``ProgramError`` when more than one in a thousand fails: such a rate means nothing.
    func run(
        _ request: Request, _ client: APIClient, connections: Int = 32, seconds: Int? = nil
    ) async throws -> Double {
        var environment = client.token.map { ["SKEIN_BENCH_TOKEN": $0] } ?? [:]
        let path: String
        switch request {
        case .get(let wanted): path = wanted
        case .post:
            path = "/v1/sightings"
            environment["SKEIN_BENCH_BODIES"] = bodies
        case .postBatch:
            path = "/v1/sightings/batch"
            environment["SKEIN_BENCH_BODIES"] = batches
        }
        let output = try await wrk.run(
            [
                "--threads", "1", "--connections", "\(connections)", "--duration",
                "\(seconds ?? laboratory.plan.seconds)s", "--timeout", "10s",
                "--script", Laboratory.scripts + "/requests.lua", client.base + path,
            ], environment: environment, in: laboratory.folder)
        return try Self.rate(output)
    }

    private static func rate(_ output: String) throws -> Double {
        guard let summary = output.firstMatch(of: /answers=(\d+) refused=(\d+) broken=(\d+) microseconds=(\d+)/),
            let answers = Double(summary.1), let refused = Double(summary.2), let broken = Double(summary.3),
            let microseconds = Double(summary.4)
        else { throw ProgramError(description: "wrk printed no summary: \(output)") }
        guard refused + broken <= answers / 1_000 else {
            throw ProgramError(description: "of \(answers) requests, \(refused) failed and \(broken) broke off")
        }
        return (answers - refused) / microseconds * 1_000_000
    }
}
