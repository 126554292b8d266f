import Foundation
import Testing

/// A run of `private-server-probe`, which stands for another process on the same data directory.
final class ProbeProcess: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts it; the server may not be there yet.
    init(dataDirectory: String) throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = products.appendingPathComponent("private-server-probe")
        process.arguments = [dataDirectory]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    var processID: Int32 { process.processIdentifier }

    /// The next line that it prints; empty when it has ended. It may take long to come, so this waits on a thread of
    /// its own: those that run tasks are few, and other tests need them.
    func line() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.readLine()) }
        }
    }

    private func readLine() -> String {
        var bytes: [UInt8] = []
        while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lets it stop using the server, and returns what it says became of that.
    func finish() async throws -> String {
        try input.fileHandleForWriting.close()
        let line = await line()
        process.waitUntilExit()
        return line
    }

    /// As the out-of-memory killer does.
    func killHard() {
        kill(processID, SIGKILL)
        process.waitUntilExit()
    }
}
