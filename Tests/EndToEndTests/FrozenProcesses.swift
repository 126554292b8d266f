import Foundation
import Testing

/// A PostgreSQL and all its backends, stopped as if their machine had hung: the kernel goes on taking what is sent.
struct FrozenProcesses {
    private let processes: [Int32]

    /// Freezes the server of a cluster.
    init(ofCluster cluster: String) throws {
        let file = try String(contentsOfFile: cluster + "/postmaster.pid", encoding: .utf8)
        let postmaster = try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        kill(postmaster, SIGSTOP)
        let children = try String(contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)
        processes = [postmaster] + children.split(separator: " ").compactMap { Int32($0) }
        for process in processes { kill(process, SIGSTOP) }
    }

    func thaw() {
        for process in processes { kill(process, SIGCONT) }
    }
}
