import Foundation
import Testing

@Suite(.serialized)
struct OpenFilesTests {
    @Test func `the limit of open files is raised at the start`() async throws {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #expect(getrlimit(resource, &limit) == 0)
        let most = Int(limit.rlim_max)
        var lowered = limit
        lowered.rlim_cur = limit.rlim_max - 1
        #expect(setrlimit(resource, &lowered) == 0)
        defer { setrlimit(resource, &limit) }
        try await ServedSkein.run { service in
            let id = try #require(service.process?.processIdentifier)
            let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            #expect(numbers == [most, most], "\(line)")
        }
    }
}
