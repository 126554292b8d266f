internal import FoundationEssentials

/// The folder of this package, as it was when this file was compiled.
package enum PackageRoot {
    /// Its absolute path.
    package static let path = String(
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))
}
