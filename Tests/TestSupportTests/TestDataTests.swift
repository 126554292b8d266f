import Foundation
import TestSupport
import Testing

@Suite("Where test data is found")
struct TestDataTests {
    @Test("The package's folder is the one with the manifest")
    func packageRoot() {
        #expect(FileManager.default.fileExists(atPath: PackageRoot.path + "/Package.swift"))
    }

    @Test("A file of the data is found", .enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func wrens() throws {
        let text = try String(contentsOf: TestData.url("bbs_pacific_wren/occurrence.csv"), encoding: .utf8)
        #expect(text.split(whereSeparator: \.isNewline).count == 5_481)
    }
}
