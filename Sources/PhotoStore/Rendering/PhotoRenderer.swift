import Foundation
import Subprocess
import SystemPackage

/// Renders photos, each in a child process.
package struct PhotoRenderer: Sendable {
    private let executable: String
    private let limits: RenderLimits

    /// - Parameter executable: the path of `skein`.
    package init(executable: String, limits: RenderLimits = RenderLimits()) {
        self.executable = executable
        self.limits = limits
    }

    /// Renders a file.
    /// - Parameter folder: receives the renditions.
    /// - Throws: ``RenderError``; `CancellationError`.
    package func render(_ original: String, into folder: String) async throws -> RenderedPhoto {
        try await run([original, folder, "--pixels", "\(limits.pixels)"])
    }

    /// Makes a WebP of a rendition.
    /// - Parameter folder: receives it.
    /// - Throws: ``RenderError``; `CancellationError`.
    package func webP(of rendition: String, into folder: String) async throws -> RenderedPhoto.Rendition {
        try await run([rendition, folder, "--webp"])
    }

    /// Makes the rendition of a guarded photo: see ``GuardedFrame``.
    /// - Parameters:
    ///   - large: its large rendition.
    ///   - name: of one of ``GuardedFrame/sizes``.
    ///   - folder: receives it.
    /// - Throws: ``RenderError``; `CancellationError`.
    package func guarded(
        _ large: String, _ name: String, into folder: String
    ) async throws -> RenderedPhoto.Rendition {
        try await run([large, folder, "--guarded", name])
    }

    /// Runs a child process under the limits.
    private func run<Result: Decodable & Sendable>(_ work: [String]) async throws -> Result {
        let arguments =
            ["render"] + work + [
                "--memory", "\(limits.memory)", "--cpu-seconds", "\(limits.cpuSeconds)", "--open-files",
                "\(limits.openFiles)",
            ]
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                let result = try await Subprocess.run(
                    .path(FilePath(executable)), arguments: Arguments(arguments), environment: .custom([:]),
                    output: .string(limit: 65_536), error: .string(limit: 65_536))
                return try Self.outcome(result.terminationStatus, result.standardOutput, result.standardError)
            }
            group.addTask {
                try await Task.sleep(for: .seconds(limits.seconds))
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw RenderError.tooSlow }
            return result
        }
    }

    private static func outcome<Result: Decodable>(
        _ status: TerminationStatus, _ output: String?, _ errors: String?
    ) throws -> Result {
        switch status {
        case .exited(0):
            guard let output, let result = try? JSONDecoder().decode(Result.self, from: Data(output.utf8))
            else { throw RenderError.failed("no result") }
            return result
        case .exited(let code):
            switch Rendering.Failure(rawValue: code) {
            case .broken: throw RenderError.broken(errors ?? "")
            case .unsupportedType: throw RenderError.unsupportedType
            case .tooManyPixels: throw RenderError.tooManyPixels
            case .tooManyParts: throw RenderError.tooManyParts
            case .limitExceeded: throw RenderError.limitExceeded
            case .internalError, nil: throw RenderError.failed(errors ?? "")
            }
        case .signaled: throw RenderError.limitExceeded
        }
    }
}
