import Foundation

/// The cost of open streams of events for the serving process while nothing happens.
struct Listeners: Sendable {
    private let laboratory: Laboratory

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    func run() async throws -> [Reading] {
        guard ResidentMemory.mebibytes(of: getpid()) != nil else {
            show("memory is not measured here: there is no /proc")
            return []
        }
        let count = laboratory.plan.listeners
        return try await ServedLog.with(laboratory, database: "listeners") { log in
            let clients = try await signedIn(count / Self.perAccount, log.service.client)
            // The first streams fill pools and caches.
            try await StreamListeners(clients.count, of: clients).close()
            let idle = try await state(log.service)
            let listeners = try await StreamListeners(count, of: clients)
            let listening = try await state(log.service)
            guard listeners.open == count else {
                throw ProgramError(description: "\(count - listeners.open) streams have ended")
            }
            try await listeners.close()
            show("  idle: \(idle.memory.short) MB, \(idle.percent.short) % of a processor")
            show("  with \(count) streams: \(listening.memory.short) MB, \(listening.percent.short) %")
            return [
                Reading(
                    "memory that \(count) streams of events add", [listening.memory - idle.memory], unit: "MB",
                    aim: .atMost(30)),
                Reading("processor with \(count) streams, idle", [listening.percent], unit: "%", aim: .atMost(5)),
            ]
        }
    }

    /// Streams that an account may have.
    private static let perAccount = 5

    private func signedIn(_ count: Int, _ client: APIClient) async throws -> [APIClient] {
        try await withThrowingTaskGroup(of: [APIClient].self) { group in
            for part in 0..<4 {
                group.addTask {
                    var clients: [APIClient] = []
                    for _ in stride(from: part, to: count, by: 4) {
                        let birder = APIClient.Birder()
                        _ = try await client.register(birder)
                        clients.append(try await client.signedIn(birder))
                    }
                    return clients
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The memory and the use of a processor, over some heartbeats.
    private func state(_ service: SkeinService) async throws -> (memory: Double, percent: Double) {
        let process = service.process.processIdentifier
        try await Task.sleep(for: .seconds(5))
        let percent = try await ProcessorTime.percent(of: process, for: laboratory.plan.listening)
        return (ResidentMemory.mebibytes(of: process) ?? 0, percent)
    }
}
