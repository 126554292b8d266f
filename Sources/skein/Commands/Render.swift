import ArgumentParser
import Foundation
import PhotoStore

/// `skein render`: makes the renditions of one photo, or a WebP of one rendition, for the service, in a process of its
/// own.
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

    func run() throws {
        var limits = RenderLimits()
        (limits.memory, limits.cpuSeconds, limits.openFiles) = (memory, cpuSeconds, openFiles)
        do {
            try Rendering.limit(limits)
            FileHandle.standardOutput.write(
                isWebP
                    ? try JSONEncoder().encode(try Rendering.webP(of: original, into: folder))
                    : try JSONEncoder().encode(try Rendering.render(original, into: folder, pixels: pixels)))
        } catch let failure as Rendering.Failure {
            throw ExitCode(failure.rawValue)
        }
    }
}
