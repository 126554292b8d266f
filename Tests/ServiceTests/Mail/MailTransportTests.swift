import Domain
import Foundation
import Testing

@testable import Service

struct MailTransportTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID())").path

    private func message() throws -> MailMessage {
        MailMessage(
            sender: try #require(MailSender("skein@example.org")), recipient: try EmailAddress("wren@example.org"),
            subject: "Confirm", text: "A wren.", html: "<p>A wren.</p>", id: "42-1", date: Date())
    }

    /// An executable script.
    private func script(_ text: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/sendmail"
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data("#!/bin/sh\n\(text)\n".utf8), attributes: [.posixPermissions: 0o700]))
        return path
    }

    @Test func `a command gets its arguments, the message and no secret of the service`() async throws {
        let script = try script("echo \"$@\" > \(folder)/arguments; env > \(folder)/variables; cat > \(folder)/message")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let secret = Self.secret()
        let command = try #require(MailCommand(" \(script)  -t -i"))
        try await command.deliver(try message(), named: "a")
        func read(_ name: String) throws -> String { try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }
        #expect(try read("arguments") == "-t -i\n")
        #expect(try read("message") == String(decoding: try message().bytes(lineEnd: "\n"), as: UTF8.self))
        let names = try read("variables").split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(names.contains("PATH") && !names.contains { $0 == secret })
    }

    /// The name of a variable that the service keeps to itself. `scripts/test` sets one. Without it, this sets one,
    /// which is not safe beside threads that read the environment.
    private static func secret() -> String {
        if let name = ProcessInfo.processInfo.environment.keys.first(where: { $0.hasPrefix("SKEIN_") }) { return name }
        setenv("SKEIN_TEST_SECRET", "secret", 1)
        return "SKEIN_TEST_SECRET"
    }

    @Test func `a command that fails is a failure whose reason has no address`() async throws {
        let script = try script("cat > /dev/null; echo no such user wren@example.org >&2; exit 67")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let command = try #require(MailCommand(script))
        do {
            try await command.deliver(try message(), named: "a")
            Issue.record("the command has failed")
        } catch let failure as MailFailure {
            #expect(failure.description.contains("67") && failure.description.contains("no such user …@…"))
        }
    }

    @Test func `a command that reads nothing fails as any other does`() async throws {
        let command = try #require(MailCommand("false"))
        for _ in 0..<50 {
            await #expect(throws: MailFailure.self) { try await command.deliver(try message(), named: "a") }
        }
    }

    @Test func `what is not a program is no command`() {
        for line in ["", " ", "/nowhere/sendmail -t", "/etc/passwd", "no-such-program -t"] {
            #expect(MailCommand(line) == nil, "\(line)")
        }
        #expect(MailCommand("cat") != nil)
    }

    @Test func `a folder gets a file for each mail, for its owner alone, and forgets those of an account`() async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let box = MailFolder(path: folder)
        for name in ["a-1", "a-1", "b-2"] { try await box.deliver(try message(), named: name) }
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder).sorted() == ["a-1.eml", "b-2.eml"])
        let mode = try files.attributesOfItem(atPath: folder + "/a-1.eml")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try box.forget("a-1")
        #expect(try files.contentsOfDirectory(atPath: folder) == ["b-2.eml"])
        let nowhere = MailFolder(path: "/dev/null/mail")
        await #expect(throws: MailFailure.self) { try await nowhere.deliver(try message(), named: "a") }
    }
}
