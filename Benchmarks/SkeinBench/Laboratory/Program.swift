import Foundation

/// A program that runs beside this one; a cancelled task terminates it.
struct Program: Sendable {
    let name: String
    let path: String

    /// Finds a program on the PATH.
    /// - Throws: ``ProgramError`` if it does not exist.
    init(_ name: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":")
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw ProgramError(description: "\(name) is not installed; make install does it")
        }
        (self.name, self.path) = (name, path)
    }

    init(path: String) {
        (name, self.path) = (URL(filePath: path).lastPathComponent, path)
    }

    /// Runs to the end and returns the output, standard error included.
    /// - Parameter watching: called with the process's id once it runs.
    /// - Throws: ``ProgramError`` for a status other than 0, with the beginning and the end of what was printed.
    @discardableResult
    func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: String,
        watching: @escaping @Sendable (Int32) -> Void = { _ in }
    ) async throws -> String {
        let file = folder + "/" + name + "." + UUID().uuidString + ".out"
        let process = try Self.process(path, arguments, environment, output: file)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in continuation.resume() }
                do {
                    try process.runUnblocked()
                    watching(process.processIdentifier)
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
        let output = try String(contentsOfFile: file, encoding: .utf8)
        try? FileManager.default.removeItem(atPath: file)
        try Task.checkCancellation()
        guard process.terminationStatus == 0 else {
            // The first line of many usually explains the others.
            let said = output.count > 2_000 ? output.prefix(1_000) + "\n…\n" + output.suffix(1_000) : output[...]
            throw ProgramError(description: "\(name) ended with \(process.terminationStatus): \(said)")
        }
        return output
    }

    /// A process that is not started yet and writes its output to a file.
    static func process(
        _ path: String, _ arguments: [String], _ environment: [String: String], output file: String
    ) throws -> Process {
        try Data().write(to: URL(filePath: file))
        let output = try FileHandle(forWritingTo: URL(filePath: file))
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        return process
    }
}

extension Process {
    /// Starts the process with no signal blocked. The threads of Swift's tasks block most signals and a child inherits
    /// that; pgbench, which SIGALRM ends, would never end.
    func runUnblocked() throws {
        var none = sigset_t()
        var inherited = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &inherited)
        defer { pthread_sigmask(SIG_SETMASK, &inherited, nil) }
        try run()
    }
}

/// A program that could not run, or failed.
struct ProgramError: Error, CustomStringConvertible {
    let description: String
}
