import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

/// A running `scripts/smtp`, and a configuration with which msmtp sends to it.
final class SMTPServer: Sendable {
    /// A mail as Python's parser reads it.
    struct Mail: Decodable, Sendable {
        let from: String
        let to: [String]
        /// What the parser has found wrong.
        let defects: [String]
        let headers: [String: String]
        let type: String
        let text: String
        let html: String

        /// The code in the text.
        var code: String? { text.firstMatch(of: /(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}/).map { String($0.0) } }
    }

    private struct Start: Decodable {
        let port: Int
    }

    /// The value of `SKEIN_MAIL_COMMAND`.
    let command: String
    private let received = NIOLockedValueBox(Data())

    private init(command: String) {
        self.command = command
    }

    static func run(_ body: (SMTPServer) async throws -> Void) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", PackageRoot.path + "/scripts/smtp"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let folder = FileManager.default.temporaryDirectory.appending(path: "smtp-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer {
            output.fileHandleForReading.readabilityHandler = nil
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            try? FileManager.default.removeItem(atPath: folder)
        }
        let server = SMTPServer(command: "msmtp --file=\(folder)/msmtprc --read-envelope-from -t -i")
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            server.received.withLockedValue { $0 += data }
        }
        let lines = try await server.lines { $0.count > 0 }
        let start = try JSONDecoder().decode(Start.self, from: Data(lines[0].utf8))
        let configuration =
            "account default\nhost 127.0.0.1\nport \(start.port)\ntls off\nauth off\nset_from_header off\n"
        try #require(
            FileManager.default.createFile(
                atPath: folder + "/msmtprc", contents: Data(configuration.utf8), attributes: [.posixPermissions: 0o600])
        )
        try await body(server)
    }

    /// Waits for a number of mails to an address.
    func mails(to email: String, count: Int = 1) async throws -> [Mail] {
        func decoded(_ lines: [Substring]) -> [Mail] {
            lines.dropFirst().compactMap { try? JSONDecoder().decode(Mail.self, from: Data($0.utf8)) }
                .filter { $0.to == [email] }
        }
        return decoded(try await lines { decoded($0).count >= count })
    }

    private func lines(_ areEnough: ([Substring]) -> Bool) async throws -> [Substring] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let text = String(decoding: received.withLockedValue { $0 }, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if areEnough(Array(lines)) { return Array(lines) }
            try #require(ContinuousClock.now < deadline, "no mail came: \(text)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
