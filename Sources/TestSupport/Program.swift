package import Foundation
import Testing

// Swift's pool may have only two threads: one that waits for a program would delay the other tests.
extension Process {
    /// Runs the program to its end, and returns its output.
    /// - Parameter isOfErrors: whether to return the standard error instead of the standard output.
    package func output(isOfErrors: Bool = false) async throws -> String {
        // A file takes any amount of output; a pipe that nothing reads does not.
        let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        if isOfErrors { standardError = handle } else { standardOutput = handle }
        try run()
        await ended()
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Returns when the program has ended, even in a cancelled task, which may be cleaning up. A program that hangs is
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
