import Foundation
import NIOConcurrencyHelpers
import Testing

/// A server in `scripts` that tests use. It prints lines, and ends when its standard input is closed.
package final class ScriptServer: Sendable {
    private let process = Process()
    private let received = NIOLockedValueBox(Data())

    private init() {}

    /// Runs a server, `python3 scripts/<name>`, while `body` runs.
    package static func run(_ name: String, _ body: (ScriptServer) async throws -> Void) async throws {
        let server = ScriptServer()
        let process = server.process
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", PackageRoot.path + "/scripts/" + name]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            server.received.withLockedValue { $0 += data }
        }
        try process.run()
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        output.fileHandleForReading.readabilityHandler = nil
        try? input.fileHandleForWriting.close()
        await process.ended()
        try result.get()
    }

    /// Waits until there are enough whole lines.
    /// - Parameter what: the message if they do not come.
    /// - Returns: all lines so far.
    package func lines(
        orElse what: String, until areEnough: ([Substring]) -> Bool = { !$0.isEmpty }
    ) async throws -> [Substring] {
        var lines: [Substring] = []
        try await until("\(what): \(text)") {
            lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if areEnough(lines) { return true }
            try #require(process.isRunning, "\(what): \(text)")
            return false
        }
        return lines
    }

    private var text: String { String(decoding: received.withLockedValue { $0 }, as: UTF8.self) }
}
