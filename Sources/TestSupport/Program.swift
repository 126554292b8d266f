package import Foundation
import Testing

// Swift's pool may have two threads only: one that waits for a program would hold up the other tests.
extension Process {
    /// Runs to the end.
    /// - Parameter isOfErrors: whether the result is what it printed to standard error, not to standard output.
    package func output(isOfErrors: Bool = false) async throws -> String {
        // A file takes any amount, which a pipe that nothing reads does not.
        let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        if isOfErrors { standardError = handle } else { standardOutput = handle }
        try run()
        await ended()
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Returns when it has ended, in a cancelled task too, which may be the one that cleans up. One that hangs is
    /// killed.
    package func ended() async {
        let waiting = Task {
            try? await until("\(self.arguments ?? []) does not end") { !self.isRunning }
            if self.isRunning { kill(self.processIdentifier, SIGKILL) }
            while self.isRunning { try? await Task.sleep(for: .milliseconds(10)) }
        }
        await waiting.value
    }
}
