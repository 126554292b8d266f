import Foundation

/// The resident memory of a process, from `/proc`.
enum ResidentMemory {
    /// `VmRSS` in mebibytes; nil where there is no such process or no `/proc`.
    static func mebibytes(of process: Int32) -> Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
    }

    /// The peak of a process while `body` runs, sampled ten times a second.
    static func peak(of process: Int32, during body: @escaping @Sendable () async throws -> Void) async throws -> Double
    {
        try await withThrowingTaskGroup(of: Double.self) { group in
            group.addTask {
                try await body()
                return 0
            }
            group.addTask { await watch(process) }
            _ = try await group.next()
            group.cancelAll()
            return try await group.next() ?? 0
        }
    }

    private static func watch(_ process: Int32) async -> Double {
        var peak = 0.0
        while !Task.isCancelled {
            peak = max(peak, mebibytes(of: process) ?? 0)
            try? await Task.sleep(for: .milliseconds(100))
        }
        return peak
    }
}
