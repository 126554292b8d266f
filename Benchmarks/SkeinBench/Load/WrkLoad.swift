import Foundation

/// Submissions as fast as they are acknowledged, sent by wrk.
struct WrkLoad: Sendable {
    /// What the idempotency keys are.
    enum Keys: String, CaseIterable, Sendable {
        case v7
        case v4
    }

    let laboratory: Laboratory
    private let wrk: Program
    private let bodies: String

    init(_ laboratory: Laboratory) throws {
        self.laboratory = laboratory
        wrk = try Program("wrk")
        bodies = laboratory.folder + "/bodies.ndjson"
        try Data((Submissions.bodies.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: bodies))
    }

    /// Sends submissions for so many seconds. Only answers of success count.
    /// - Returns: acknowledged submissions a second.
    /// - Throws: ``ProgramError`` when more than one in a thousand fails: such a rate means nothing.
    func run(_ client: APIClient, keys: Keys, connections: Int, seconds: Int) async throws -> Double {
        let output = try await wrk.run(
            [
                "--threads", "1", "--connections", "\(connections)", "--duration", "\(seconds)s", "--timeout", "10s",
                "--script", Laboratory.scripts + "/sightings.lua", client.base,
            ],
            environment: [
                "SKEIN_BENCH_TOKEN": client.token ?? "", "SKEIN_BENCH_BODIES": bodies,
                "SKEIN_BENCH_KEYS": keys.rawValue,
            ], in: laboratory.folder)
        guard let summary = output.firstMatch(of: /answers=(\d+) refused=(\d+) broken=(\d+) microseconds=(\d+)/),
            let answers = Double(summary.1), let refused = Double(summary.2), let broken = Double(summary.3),
            let microseconds = Double(summary.4)
        else { throw ProgramError(description: "wrk printed no summary: \(output)") }
        guard refused + broken <= answers / 1_000 else {
            throw ProgramError(description: "of \(answers) submissions \(refused) were refused and \(broken) broken")
        }
        return (answers - refused) / microseconds * 1_000_000
    }
}
