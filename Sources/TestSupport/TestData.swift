package import FoundationEssentials

/// Real records to test with, which are not part of the project.
///
///     @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
package enum TestData {
    /// `$SKEIN_TEST_DATA`, or `shared/data` beside the package's folder.
    package static let folder =
        ProcessInfo.processInfo.environment["SKEIN_TEST_DATA"] ?? PackageRoot.path + "/../shared/data"

    /// Whether the folder is there.
    package static let isPresent = FileManager.default.fileExists(atPath: folder)

    /// Why a test that needs it is skipped.
    package static let absence = "needs the folder of test data (SKEIN_TEST_DATA, now \(folder))"

    /// A file in it, such as `bbs_pacific_wren/occurrence.csv`.
    package static func url(_ path: String) -> URL {
        URL(filePath: folder).appending(path: path)
    }
}

/// The folder of this package, as it was when this file was compiled.
package enum PackageRoot {
    /// Its absolute path.
    package static let path = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))
}
