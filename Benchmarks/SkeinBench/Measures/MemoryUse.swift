import Foundation

/// The memory of the serving process: idle, and under submissions and logins.
struct MemoryUse: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        guard ResidentMemory.mebibytes(of: getpid()) != nil else {
            show("memory is not measured here: there is no /proc")
            return []
        }
        let idle = try await idle()
        let peak = try await underLoad()
        return [
            Reading("memory, idle", [idle], unit: "MB", aim: .atMost(60)),
            Reading("memory, 64 submitting and 4 logging in", [peak], unit: "MB", aim: .atMost(200)),
        ]
    }

    /// Started, ready and idle for a while: no login yet.
    private func idle() async throws -> Double {
        try await laboratory.makeDatabaseIfMissing("idle")
        return try await SkeinService.with(laboratory, database: "idle") { service in
            var samples: [Double] = []
            for _ in 0..<10 {
                try await Task.sleep(for: .milliseconds(500))
                samples.append(ResidentMemory.mebibytes(of: service.process.processIdentifier) ?? 0)
            }
            return samples.median
        }
    }

    private func underLoad() async throws -> Double {
        let wrk = try WrkLoad(laboratory)
        return try await ServedLog.with(laboratory) { log in
            let client = try await log.signedIn()
            let seconds = laboratory.plan.seconds * 2
            return try await ResidentMemory.peak(of: log.service.process.processIdentifier) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask { while !Task.isCancelled { try? await log.logIn() } }
                    }
                    let rate = try await wrk.run(.post, client, connections: 64, seconds: seconds)
                    show("  \(rate.short) submissions/s beside the logins")
                    group.cancelAll()
                }
            }
        }
    }
}
