import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Mails from the request that causes them to the server that receives them.
@Suite(.hangs) struct MailTests {
    private static let sender = "Zaunkönig Watch <skein@example.org>"

    @Test func `without a command, mails are files, and the service says where`() async throws {
        try await ServedSkein.run { service in
            let folder = service.folder + "/data/mail"
            #expect(service.log.contains("written to \(folder)"))
            let birder = try await Birder.register(service)
            let code = try await Self.code(in: folder, to: birder.email)
            #expect(try await birder.send(.GET, "/v1/me")["emailVerified"] as? Bool == false)
            let verified = try await birder.send(.PUT, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
            #expect(verified.status == 204)
            #expect(try await birder.send(.GET, "/v1/me")["emailVerified"] as? Bool == true)
            #expect(!service.log.contains(birder.email) && !service.log.contains(code))
        }
    }

    @Test func `msmtp delivers a mail that Python reads without a defect`() async throws {
        try await SMTPServer.run { smtp in
            let settings = [
                "SKEIN_MAIL_COMMAND": smtp.command, "SKEIN_MAIL_FROM": Self.sender,
                "SKEIN_APP_URL": "https://app.example.org/skein/",
            ]
            try await ServedSkein.run(settings) { service in
                let birder = try await Birder.register(service)
                let mail = try #require(try await smtp.mails(to: birder.email).first)
                #expect(mail.defects == [] && mail.from == "skein@example.org" && mail.type == "multipart/alternative")
                #expect(mail.headers["From"] == Self.sender && mail.headers["To"] == birder.email)
                #expect(mail.headers["Auto-Submitted"] == "auto-generated" && mail.headers["Bcc"] == nil)
                let code = try #require(mail.code)
                let link = "https://app.example.org/skein/verify-email#token=\(code)"
                #expect(mail.text.contains(link) && mail.html.contains("href=\"\(link)\""))
                #expect(mail.text.contains("Zaunkönig Watch") && mail.html.contains("Zaunkönig Watch"))
                let verified = try await birder.send(.PUT, "/v1/email-verifications", json: #"{"token":"\#(code)"}"#)
                #expect(verified.status == 204)
            }
        }
    }

    @Test func `a forgotten password is replaced by mail, and every session of every process ends`() async throws {
        try await SMTPServer.run { smtp in
            try await ServedSkein.run(["SKEIN_MAIL_COMMAND": smtp.command]) { service in
                let birder = try await Birder.register(service)
                _ = try await smtp.mails(to: birder.email)
                try await service.joined(by: ["SKEIN_MAIL_COMMAND": smtp.command]) { second in
                    #expect(try await second.send(.GET, "/v1/me", token: birder.token).status == 200)
                    let asked = try await service.send(
                        .POST, "/v1/password-resets", json: #"{"email":"\#(birder.email)"}"#)
                    #expect(asked.status == 202)
                    let code = try #require(try await smtp.mails(to: birder.email, count: 2).last?.code)
                    let reset = try await second.send(
                        .PUT, "/v1/password-resets", headers: ["Idempotency-Key": UUID().uuidString],
                        json: #"{"token":"\#(code)","password":"nine owls in a barn"}"#)
                    #expect(reset.status == 204)
                    try await service.rejects(birder.token)
                }
                let news = try await smtp.mails(to: birder.email, count: 3).last
                #expect(news?.headers["Subject"] == "Your password was changed" && news?.code == nil)
                #expect(!service.log.contains(birder.email))
            }
        }
    }

    @Test func `a mail that cannot be sent is sent after a restart, and by one of two processes`() async throws {
        try await SMTPServer.run { smtp in
            try await ServedSkein.run(["SKEIN_MAIL_COMMAND": "false"]) { broken in
                let birder = try await Birder.register(broken)
                try await broken.logged("a mail was not sent")
                #expect(!broken.log.contains(birder.email))
                await broken.stop(SIGTERM)
                let working = ["SKEIN_MAIL_COMMAND": smtp.command]
                let first = ServedSkein(folder: broken.folder, name: "working", settings: working)
                try await first.start()
                try await first.joined(by: working) { second in
                    // Not at once: each hashes a password twice.
                    var others: [String] = []
                    for service in [first, second, first, second] {
                        others.append(try await Birder.register(service).email)
                    }
                    for email in others + [birder.email] {
                        #expect(try await smtp.mails(to: email).count == 1, "\(email)")
                    }
                }
                await first.stop(SIGTERM)
                try await broken.start()
            }
        }
    }

    /// The code of the mail to an address in a folder, once it is there.
    static func code(in folder: String, to email: String) async throws -> String {
        var mail = ""
        try await until("no mail came") {
            mail = try mails(in: folder).first { $0.contains("To: \(email)\r\n") } ?? ""
            return !mail.isEmpty
        }
        return try #require(mail.firstMatch(of: /(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}/).map { String($0.0) })
    }

    private static func mails(in folder: String) throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.filter { $0.hasSuffix(".eml") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }
}

extension ServedSkein {
    /// Waits until the process rejects a token.
    fileprivate func rejects(_ token: String) async throws {
        try await until("the token is accepted still") {
            try await send(.GET, "/v1/me", token: token).status == 401
        }
    }

    /// Waits until the process has logged something.
    func logged(_ text: String) async throws {
        try await until("not logged: \(text), but \(log)") { log.contains(text) }
    }
}
