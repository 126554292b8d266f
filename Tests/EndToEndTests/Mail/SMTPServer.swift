import Foundation
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
    private let script: ScriptServer

    private init(command: String, script: ScriptServer) {
        self.command = command
        self.script = script
    }

    static func run(_ body: (SMTPServer) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "smtp-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await ScriptServer.run("smtp") { script in
            let server = SMTPServer(
                command: "msmtp --file=\(folder)/msmtprc --read-envelope-from -t -i", script: script)
            try await server.configure(in: folder)
            try await body(server)
        }
    }

    /// Writes the configuration of msmtp, as soon as the server has printed its port.
    private func configure(in folder: String) async throws {
        let lines = try await script.lines(orElse: "the server does not start")
        let start = try JSONDecoder().decode(Start.self, from: Data(lines[0].utf8))
        let configuration =
            "account default\nhost 127.0.0.1\nport \(start.port)\ntls off\nauth off\nset_from_header off\n"
        try #require(
            FileManager.default.createFile(
                atPath: folder + "/msmtprc", contents: Data(configuration.utf8), attributes: [.posixPermissions: 0o600])
        )
    }

    /// Waits for a number of mails to an address.
    func mails(to email: String, count: Int = 1) async throws -> [Mail] {
        func decoded(_ lines: [Substring]) -> [Mail] {
            lines.dropFirst().compactMap { try? JSONDecoder().decode(Mail.self, from: Data($0.utf8)) }
                .filter { $0.to == [email] }
        }
        return decoded(try await script.lines(orElse: "no mail came") { decoded($0).count >= count })
    }
}
