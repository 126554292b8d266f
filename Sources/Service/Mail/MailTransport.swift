import Foundation
import Subprocess
import SystemPackage

/// Where mails go.
package protocol MailTransport: Sendable {
    /// Hands a message over.
    /// - Parameter name: unique, of letters, digits and hyphens; the same for each attempt.
    /// - Throws: ``MailFailure``; `CancellationError`.
    func deliver(_ message: MailMessage, named name: String) async throws
}

/// Why a mail was not handed over, in words without addresses.
package struct MailFailure: Error, Hashable, CustomStringConvertible {
    package let description: String
}

/// A command that takes a message on its standard input and the recipients from its headers, as `sendmail -t` does.
package struct MailCommand: MailTransport {
    /// How long it may take, in seconds: less than a claim of the queue lasts.
    private static let seconds = 60
    /// Variables that begin so are for the service alone: they hold passwords.
    private static let secrets = ["DATABASE_", "SKEIN_", "AWS_", "PG"]

    private let program: String
    private let arguments: [String]

    /// Reads a command line, whose words are separated by spaces; nil if its program cannot be executed.
    package init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard let name = words.first, let program = Self.program(name) else { return nil }
        self.program = program
        arguments = Array(words.dropFirst())
    }

    private static func program(_ name: String) -> String? {
        let folders =
            name.contains("/")
            ? [""]
            : (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
                .map { $0 + "/" }
        return folders.map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs the command.
    /// - Throws: ``MailFailure`` if it cannot be run, fails or takes too long; `CancellationError`.
    package func deliver(_ message: MailMessage, named name: String) async throws {
        let bytes = message.bytes(lineEnd: "\n")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await run(bytes)
                return true
            }
            group.addTask {
                try await Task.sleep(for: .seconds(Self.seconds))
                return false
            }
            defer { group.cancelAll() }
            guard try await group.next() == true else {
                throw MailFailure(description: "the mail command did not end within \(Self.seconds) seconds")
            }
        }
    }

    private func run(_ message: [UInt8]) async throws {
        var variables: [Subprocess.Environment.Key: String] = [:]
        for (name, value) in ProcessInfo.processInfo.environment
        where !Self.secrets.contains(where: { name.hasPrefix($0) }) {
            if let key = Subprocess.Environment.Key(rawValue: name) { variables[key] = value }
        }
        let file = try Self.file(of: message)
        defer { try? file.close() }
        let result: ExecutionResult<Void, DiscardedOutput, StringOutput<UTF8>>
        do {
            result = try await Subprocess.run(
                .path(FilePath(program)), arguments: Arguments(arguments), environment: .custom(variables),
                input: .fileDescriptor(file, closeAfterSpawningProcess: false), output: .discarded,
                error: .string(limit: 65_536))
        } catch is SubprocessError {
            throw MailFailure(description: "the mail command cannot be run, or says too much")
        }
        guard case .exited(0) = result.terminationStatus else {
            let words = Self.withoutAddresses(result.standardError)
            throw MailFailure(description: "\(result.terminationStatus): \(words)")
        }
    }

    /// A file without a name, from which the command reads. Subprocess (1.0.2) traps when a command ends before it has
    /// read all of a pipe.
    private static func file(of message: [UInt8]) throws -> FileDescriptor {
        var path = Array((FileManager.default.temporaryDirectory.path + "/skein-mail-XXXXXX").utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw MailFailure(description: "cannot write to the temporary folder") }
        unlink(path)
        let file = FileDescriptor(rawValue: number)
        do {
            guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { throw Errno(rawValue: errno) }
            try file.writeAll(message)
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw MailFailure(description: "cannot write to the temporary folder")
        }
    }

    /// The beginning of what a command said, without words that look like addresses.
    private static func withoutAddresses(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).map { $0.contains("@") ? "…@…" : $0 }.joined(separator: " ")
            .prefix(300).description
    }
}

/// A folder that gets each mail as a file, for development and for services without mail.
package struct MailFolder: MailTransport {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Writes `<name>.eml`, which only its owner can read. A further attempt replaces it.
    package func deliver(_ message: MailMessage, named name: String) async throws {
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let draft = "\(path)/.\(name)-\(UUID().uuidString)"
            guard
                files.createFile(
                    atPath: draft, contents: Data(message.bytes(lineEnd: "\r\n")),
                    attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            guard rename(draft, "\(path)/\(name).eml") == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw MailFailure(description: "cannot write to \(path)")
        }
    }

    /// Deletes the mails to an account.
    /// - Throws: what the file system throws.
    package func forget(_ account: String) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return }
        for name in try files.contentsOfDirectory(atPath: path) where name.contains(account) {
            do {
                try files.removeItem(atPath: "\(path)/\(name)")
            } catch CocoaError.fileNoSuchFile {
                // Another process has removed it.
            }
        }
    }
}
