import FoundationEssentials
import Glibc

extension PrivateServer {
    /// Pauses all processes of the server for a while: connections stay open, but nothing is answered. Has no effect if
    /// the server is not running.
    package func freeze(for pause: Duration) async throws {
        guard let postmaster else { return }
        kill(postmaster, SIGSTOP)
        // While frozen, it starts no other processes.
        let others = Self.children(of: postmaster)
        for process in others { kill(process, SIGSTOP) }
        defer { for process in others + [postmaster] { kill(process, SIGCONT) } }
        try await Task.sleep(for: pause)
    }

    private var postmaster: pid_t? {
        let file = try? String(contentsOfFile: control.home.cluster + "/postmaster.pid", encoding: .utf8)
        return file?.split(separator: "\n").first.flatMap { pid_t($0) }
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            // `<pid> (<name>) <state> <parent> …`; a name may contain anything.
            let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            return fields.count > 2 && pid_t(fields[2]) == parent
        }
    }
}
