import Domain
import Foundation
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import Service

/// Keeps the mails that it is given.
final class Mailbox: MailTransport {
    private let received = NIOLockedValueBox<[MailMessage]>([])
    private let latest = NIOLockedValueBox<Task<Void, any Error>?>(nil)

    func deliver(_ message: MailMessage, named name: String) async throws {
        received.withLockedValue { $0.append(message) }
    }

    /// Sends what is queued, after everything that other tests are sending: a mail that one of them has claimed is not
    /// here yet.
    func receive(from mailer: Mailer) async throws {
        let task = latest.withLockedValue { latest in
            let task = Task { [earlier = latest] in
                _ = await earlier?.result
                try await mailer.sendDue()
            }
            latest = task
            return task
        }
        try await task.value
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
        try await mailbox.receive(from: cases.accounts.mailer(settings, logger: Logger(label: "mail")))
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
