import Foundation
import TestSupport
import Testing

struct TestDataTests {
    @Test func `the package's folder is the one with the manifest`() {
        #expect(FileManager.default.fileExists(atPath: PackageRoot.path + "/Package.swift"))
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `a file of the data is found`() throws {
        let text = try String(contentsOf: TestData.url("bbs_pacific_wren/occurrence.csv"), encoding: .utf8)
        #expect(text.split(whereSeparator: \.isNewline).count == 5_481)
    }
}
