import Foundation

/// The renditions of the service, made by vipsthumbnail: two files at a time, each on one core.
struct VipsThumbnail: Sendable {
    private let program: Program
    private let folder: String

    /// - Throws: ``ProgramError`` if it is not installed.
    init(folder: String) throws {
        program = try Program("vipsthumbnail")
        self.folder = folder
    }

    /// - Returns: how long all took.
    func render(_ paths: [String]) async throws -> Duration {
        try await ContinuousClock().measure {
            async let first: Void = render(paths.prefix(paths.count / 2), lane: 1)
            async let second: Void = render(paths.dropFirst(paths.count / 2), lane: 2)
            _ = try await (first, second)
        }
    }

    private func render(_ paths: ArraySlice<String>, lane: Int) async throws {
        for path in paths {
            for size in [320, 800, 2048] {
                let output = "\(folder)/rendition-\(lane)-\(size).jpg[Q=82,optimize_coding,strip]"
                try await program.run(
                    [path, "--size", "\(size)x\(size)>", "--eprofile", "srgb", "--output", output],
                    environment: ["VIPS_CONCURRENCY": "1"], in: folder)
            }
        }
    }
}
