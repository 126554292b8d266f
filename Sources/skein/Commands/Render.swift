import ArgumentParser
import Foundation
import PhotoStore

/// `skein render`: makes the renditions of a photo, or a file from one of them, in a process of its own, for the
/// service.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make the renditions of one photo.", shouldDisplay: false)

    @Argument(help: "The file to read.") var original: String
    @Argument(help: "The folder to write to.") var folder: String
    @Option(help: "Bytes of memory.") var memory = RenderLimits().memory
    @Option(help: "Seconds of CPU time.") var cpuSeconds = RenderLimits().cpuSeconds
    @Option(help: "Files open at once.") var openFiles = RenderLimits().openFiles
    @Option(help: "Pixels of the original.") var pixels = RenderLimits().pixels
    @Flag(name: .customLong("webp"), help: "Make a WebP of a rendition, and nothing else.") var isWebP = false
    @Option(help: "Make only this rendition of a guarded photo, from its large one.")
    var guarded: String?

    func run() throws {
        var limits = RenderLimits()
        (limits.memory, limits.cpuSeconds, limits.openFiles) = (memory, cpuSeconds, openFiles)
        do {
            try Rendering.limit(limits)
            FileHandle.standardOutput.write(try result())
        } catch let failure as Rendering.Failure {
            throw ExitCode(failure.rawValue)
        }
    }

    private func result() throws -> Data {
        let encoder = JSONEncoder()
        if let guarded { return try encoder.encode(try Rendering.guarded(original, guarded, into: folder)) }
        if isWebP { return try encoder.encode(try Rendering.webP(of: original, into: folder)) }
        return try encoder.encode(try Rendering.render(original, into: folder, pixels: pixels))
    }
}
