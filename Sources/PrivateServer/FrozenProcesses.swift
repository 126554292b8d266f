import FoundationEssentials
import Glibc

/// A PostgreSQL and all its backends, paused as if their machine had hung: connections stay open, but nothing is
/// answered.
package struct FrozenProcesses: Sendable {
    private let processes: [pid_t]

    /// Freezes the server of a cluster; nil if none is running.
    package init?(ofCluster cluster: String) {
        let file = try? String(contentsOfFile: cluster + "/postmaster.pid", encoding: .utf8)
        guard let postmaster = file?.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return nil }
        // While frozen, it starts no other processes.
        kill(postmaster, SIGSTOP)
        processes = [postmaster] + Self.children(of: postmaster)
        for process in processes { kill(process, SIGSTOP) }
    }

    /// Lets them continue.
    package func thaw() {
        for process in processes { kill(process, SIGCONT) }
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        let file = try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
        return file?.split(separator: " ").compactMap { pid_t($0) } ?? []
    }
}

extension PrivateServer {
    /// Freezes the server for a while. Has no effect if it is not running.
    package func freeze(for pause: Duration) async throws {
        guard let frozen = FrozenProcesses(ofCluster: control.home.cluster) else { return }
        defer { frozen.thaw() }
        try await Task.sleep(for: pause)
    }
}
