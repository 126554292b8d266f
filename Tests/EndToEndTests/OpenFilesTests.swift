import Foundation
import Testing

struct OpenFilesTests {
    @Test func `the limit of open files is raised at the start`() async throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #expect(getrlimit(resource, &limit) == 0)
        let most = Int(limit.rlim_max)
        // The limit of this process is that of all tests.
        let launcher = ["/bin/sh", "-c", "ulimit -S -n \(most - 1) && exec \"$@\"", "sh"]
        try await ServedSkein.run(launcher: launcher) { service in
            let id = try #require(service.process?.processIdentifier)
            let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            #expect(numbers == [most, most], "\(line)")
        }
    }
}
