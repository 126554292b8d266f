import Domain
import Foundation
import Testing
import Vault

@testable import Service

struct MailMessageTests {
    private func message(
        from sender: String = "Skein <skein@example.org>", subject: String = "Confirm", text: String = "A wren.\n"
    ) throws -> MailMessage {
        MailMessage(
            sender: try #require(MailSender(sender)), recipient: try EmailAddress("wren@example.org"),
            subject: subject, text: text, html: "<p>A wren.</p>\n", id: "42-1",
            date: Date(timeIntervalSince1970: 1_764_059_241))
    }

    private func lines(_ message: MailMessage) -> [String] {
        String(decoding: message.bytes(lineEnd: "\n"), as: UTF8.self).components(separatedBy: "\n")
    }

    @Test func `a message has its headers, and two parts that end with the boundary`() throws {
        let text = String(decoding: try message().bytes(lineEnd: "\r\n"), as: UTF8.self)
        #expect(
            text
                == [
                    "From: \"Skein\" <skein@example.org>", "To: wren@example.org", "Subject: Confirm",
                    "Date: Tue, 25 Nov 2025 08:27:21 +0000", "Message-ID: <42-1@example.org>", "MIME-Version: 1.0",
                    "Auto-Submitted: auto-generated", "Content-Type: multipart/alternative;",
                    " boundary=\"=_skein_42-1\"", "", "--=_skein_42-1", "Content-Type: text/plain; charset=utf-8",
                    "Content-Transfer-Encoding: quoted-printable", "", "A wren.", "", "--=_skein_42-1",
                    "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
                    "<p>A wren.</p>", "", "--=_skein_42-1--", "",
                ].joined(separator: "\r\n"))
    }

    @Test func `no text of a header ends it`() throws {
        for subject in ["A\nBcc: owl@example.org", "A\r\nBcc: owl@example.org\r\n\r\nx", "\u{2028}Bcc: x", "=?x?="] {
            let headers = lines(try message(subject: subject)).prefix { !$0.isEmpty }
            #expect(headers.count == 9 && !headers.contains { $0.hasPrefix("Bcc") }, "\(subject)")
        }
    }

    @Test func `other characters than ASCII are encoded words that split no character`() throws {
        let subject = String(repeating: "Zaunkönig 🐦 ", count: 8)
        let lines = lines(try message(from: "Ågren \"W\" <a@example.org>", subject: subject))
        #expect(lines[0] == "From: =?UTF-8?B?w4VncmVuICJXIg==?= <a@example.org>")
        let words = lines[2...].prefix { $0.hasPrefix("Subject:") || $0.hasPrefix(" ") }
        let decoded = try words.map { line in
            #expect(line.utf8.count <= 76)
            let word = try #require(line.firstMatch(of: /=\?UTF-8\?B\?(.*)\?=/)).1
            let bytes = try #require(Data(base64Encoded: String(word)))
            return try #require(String(data: bytes, encoding: .utf8))
        }
        #expect(words.count > 3 && decoded.joined() == subject)
    }

    @Test func `a line of the text is short, and none is a full stop`() throws {
        let text = ".\nFrom me\n" + String(repeating: "é= ", count: 60) + "\nend "
        let lines = QuotedPrintable.lines(of: text)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix(".") && !$0.hasPrefix("From ") })
        #expect(lines[0] == "=2E" && lines[1] == "=46rom me" && lines.last == "end=20")
        let whole = lines.joined(separator: "\n").replacing("=\n", with: "")
        var bytes: [UInt8] = []
        for (index, part) in whole.split(separator: "=", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { bytes.append(try #require(UInt8(part.prefix(2), radix: 16))) }
            bytes += part.dropFirst(index > 0 ? 2 : 0).utf8
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func `senders are addresses, or names with one`() {
        #expect(MailSender("skein@example.org")?.mailbox == "skein@example.org")
        #expect(MailSender("Wren  Watch <w@example.org>")?.mailbox == "\"Wren Watch\" <w@example.org>")
        #expect(MailSender("A \\\"B\\\" <w@example.org>")?.mailbox == #""A \\\"B\\\"" <w@example.org>"#)
        for wrong in ["", "skein", "<w@example.org>", "A\nB <w@example.org>", "A <w@example.org", "A <w>"] {
            #expect(MailSender(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `waits grow fourfold, to an hour`() {
        let waits = (1...7).map { Mailer.retryDelays.wait(after: $0) }
        #expect(waits == [10, 40, 160, 640, 2560, 3600, 3600].map { .seconds($0) })
    }

    @Test func `both parts say the same, and carry the code and the link`() {
        let code = MailCode()
        for kind in MailKind.allCases {
            let text = MailText(kind, code: code, service: "A <b> & \"c\"", app: "https://app.example.org")
            #expect(text.plain.contains(code.text) == text.html.contains(code.text), "\(kind)")
            #expect(!text.html.contains("<b>"), "\(kind)")
            for paragraph in text.before + text.after { #expect(text.plain.contains(paragraph), "\(kind)") }
            #expect(MailText(kind, code: code, service: "Skein", app: nil).link == nil)
        }
    }
}
