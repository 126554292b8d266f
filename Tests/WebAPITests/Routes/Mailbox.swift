import Domain
import Foundation
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import Service

/// Keeps the mails that it is given.
final class Mailbox: MailTransport {
    private let received = NIOLockedValueBox<[MailMessage]>([])

    func deliver(_ message: MailMessage, named name: String) async throws {
        received.withLockedValue { $0.append(message) }
    }

    /// The mails to an address, in the order in which they were sent.
    func mails(to email: String) -> [MailMessage] {
        received.withLockedValue { $0.filter { $0.recipient.text == email } }
    }
}

extension ServedRoutes {
    /// Sends what is queued.
    /// - Returns: all mails to an address so far.
    func mails(to email: String) async throws -> [MailMessage] {
        let settings = MailSettings(
            transport: mailbox, sender: try #require(MailSender("Skein <skein@example.org>")),
            app: "https://app.example.org")
        try await cases.mailer(settings, logger: Logger(label: "mail")).sendDue()
        return mailbox.mails(to: email)
    }

    /// The code of the newest mail to an address.
    func code(to email: String) async throws -> String {
        let mail = try #require(try await mails(to: email).last { $0.code != nil })
        return try #require(mail.code)
    }
}

extension MailMessage {
    /// The code in the text; the link and the HTML part have it too.
    var code: String? {
        guard let code = text.firstMatch(of: /\n    ((?:[0-9A-Z]{4}-){5}[0-9A-Z]{4})\n/).map({ String($0.1) }) else {
            return nil
        }
        return text.contains("#token=\(code)") && html.contains(">\(code)<") ? code : nil
    }
}
