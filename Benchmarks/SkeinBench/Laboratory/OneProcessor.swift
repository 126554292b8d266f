import Foundation
import Postgres
import PrivateServer

/// Runs programs on one processor, and what PostgreSQL does for them.
struct OneProcessor: Sendable {
    private let laboratory: Laboratory
    private let taskset: Program
    /// The process that all of PostgreSQL's other processes are started by, and inherit its processors from.
    private let server: Int32
    /// The processors that it may use, as `taskset` writes them.
    private let all: String

    /// - Throws: ``ProgramError`` without `taskset`, or where the server's processes are not on this machine.
    init(_ laboratory: Laboratory) async throws {
        (self.laboratory, taskset) = (laboratory, try Program("taskset"))
        let backend: Int32 = try await laboratory.withConnection(try laboratory.owner(PrivateServer.database)) {
            let process: Int32 = try await $0.query("select pg_backend_pid() as process").onlyRow().decode("process")
            // Read while there is this process.
            guard let parent = ProcessParent.of(process) else {
                throw ProgramError(description: "PostgreSQL's processes are not on this machine")
            }
            return parent
        }
        server = backend
        let text = try await taskset.run(["--cpu-list", "--pid", "\(server)"], in: laboratory.folder)
        guard let list = text.firstMatch(of: /list: ([0-9,-]+)/) else {
            throw ProgramError(description: "taskset printed \(text)")
        }
        all = String(list.1)
    }

    /// Runs something while new connections to PostgreSQL are served on the one processor.
    func during<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await bind(to: one)
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try await bind(to: all)
        return try result.get()
    }

    /// The words of a command that runs a program there; the program's arguments follow.
    func command(_ program: Program) -> [String] { [taskset.path, "--cpu-list", one, program.path] }

    /// Runs a program there to its end, and returns its output.
    func run(_ program: Program, _ arguments: [String], environment: [String: String] = [:]) async throws -> String {
        try await taskset.run(
            command(program).dropFirst() + arguments, environment: environment, in: laboratory.folder)
    }

    private var one: String { String(all.prefix(while: \.isNumber)) }

    private func bind(to list: String) async throws {
        try await taskset.run(["--cpu-list", "--pid", list, "\(server)"], in: laboratory.folder)
    }
}

/// The process that started a process, from `/proc`.
enum ProcessParent {
    /// Nil where there is no such process or no `/proc`.
    static func of(_ process: Int32) -> Int32? {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            // The name, in parentheses, may have spaces.
            let end = stat.lastIndex(of: ")")
        else { return nil }
        // The state comes first.
        return stat[stat.index(after: end)...].split(separator: " ").dropFirst().first.flatMap { Int32($0) }
    }
}
