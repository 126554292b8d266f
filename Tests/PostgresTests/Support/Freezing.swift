import Foundation

/// Stops processes as if their machine had hung: the kernel goes on taking and acknowledging what is sent to them.
enum Freezing {
    static func freeze(_ processes: [Int32]) {
        for process in processes { kill(process, SIGSTOP) }
    }

    static func thaw(_ processes: [Int32]) {
        for process in processes { kill(process, SIGCONT) }
    }
}

extension TestServer {
    /// The server with all its backends, while `body` runs.
    func whileFrozen<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        let file = try String(contentsOfFile: "\(directory)/data/postmaster.pid", encoding: .utf8)
        guard let postmaster = file.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        Freezing.freeze([postmaster])
        let children = try String(contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)
        let all = [postmaster] + children.split(separator: " ").compactMap { Int32($0) }
        Freezing.freeze(all)
        defer { Freezing.thaw(all) }
        return try await body()
    }
}
