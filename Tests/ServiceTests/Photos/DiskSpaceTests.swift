import Foundation
import Testing

@testable import Service

struct DiskSpaceTests {
    @Test func `the fullest of the file systems counts`() {
        let disk = DiskSpace(of: ["/a", "/b", "/c"], reserve: 10) { ["/a": 12, "/b": 9][$0] }
        #expect(disk.state.free == 9 && disk.state.isLow)
        #expect(throws: DiskSpace.Rejection.self) { try disk.check() }
    }

    @Test(arguments: [(10, 10, false), (9, 10, true), (0, nil, false), (nil, 10, false)] as [(Int?, Int?, Bool)])
    func `less than the reserve is too little`(free: Int?, reserve: Int?, isLow: Bool) {
        #expect(DiskSpace(of: ["/a"], reserve: reserve) { _ in free }.state.isLow == isLow)
    }

    @Test func `the file system of a folder that does not exist yet is that above it`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let free = try #require(DiskSpace.freeBytes(at: folder + "/skein-\(UUID())/not/yet"))
        let expected = try FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? Int
        // Others write to it meanwhile.
        #expect(abs(free - (expected ?? 0)) < 20_000_000_000)
        #expect(DiskSpace.freeBytes(at: "not/a/folder") == nil || free > 0)
        #expect(DiskSpace.freeBytes(at: "/dev/null/folder") == nil)
    }
}
