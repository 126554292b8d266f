import Domain
import EventLog
import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import Vault

/// How mails are written and where they go.
package struct MailSettings: Sendable {
    package var transport: any MailTransport
    package var sender: MailSender
    /// The base URL of the app, without a final slash; nil: mails have no links.
    package var app: String?

    package init(transport: any MailTransport, sender: MailSender, app: String? = nil) {
        (self.transport, self.sender, self.app) = (transport, sender, app)
    }
}

/// Queues mails, and wakes the mailer of this process.
package struct MailQueue: Sendable {
    let mails: Mails
    let codes: MailCodes
    let queued = MailSignal()

    /// Queues a mail; without effect if one with its id is queued, or was sent lately.
    /// - Throws: what the database throws.
    func queue(_ mail: QueuedMail) async throws {
        try await mails.queue(mail, lifetime: mail.kind.queueLifetime)
        queued.notify()
    }
}

extension MailKind {
    /// How long a mail is worth sending.
    fileprivate var queueLifetime: Duration {
        switch self {
        case .verification, .address: .seconds(86_400)
        case .reset: .seconds(1800)
        case .addressChanged, .passwordReset, .passwordChanged: .seconds(3 * 86_400)
        }
    }

    /// How long the code of a mail is valid after it was sent; nil: it has none.
    fileprivate var codeLifetime: Duration? {
        switch self {
        case .verification, .address: .seconds(86_400)
        case .reset: .seconds(1800)
        case .addressChanged, .passwordReset, .passwordChanged: nil
        }
    }
}

/// Says that mails were queued.
package final class MailSignal: Sendable {
    private let signal = Signal()
    private let count = NIOLockedValueBox(0)

    func notify() {
        count.withLockedValue { $0 += 1 }
        signal.notify()
    }

    /// Returns when mails were queued since a number of them was read, after an interval, or when cancelled.
    fileprivate func wait(since seen: Int, atMost interval: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.signal.wait { self.count.withLockedValue { $0 != seen } } }
            group.addTask { try? await Task.sleep(for: interval) }
            await group.next()
            group.cancelAll()
        }
    }

    fileprivate var seen: Int { count.withLockedValue { $0 } }
}

/// Sends the queued mails, in every process of the service: each mail is sent by one of them. The code of a mail is
/// made when it is sent, so it is nowhere but in the mail.
package final class Mailer: Sendable {
    private let queue: MailQueue
    private let reservations: Reservations
    private let contents: ContentStore
    private let settings: MailSettings
    private let logger: Logger
    private let isStopping = NIOLockedValueBox(false)

    init(
        queue: MailQueue, reservations: Reservations, contents: ContentStore, settings: MailSettings, logger: Logger
    ) {
        (self.queue, self.reservations, self.contents) = (queue, reservations, contents)
        (self.settings, self.logger) = (settings, logger)
    }

    /// Sends mails until it is stopped or cancelled.
    /// - Parameter interval: how often it looks for mails that other processes have queued, and for those due again.
    package func run(every interval: Duration = .seconds(2)) async {
        var purged: ContinuousClock.Instant?
        while !Task.isCancelled, !isStopping.withLockedValue({ $0 }) {
            let seen = queue.queued.seen
            do {
                try await sendDue()
                if purged.map({ .now - $0 > .seconds(600) }) ?? true {
                    try await purge()
                    purged = .now
                }
            } catch {
                if Task.isCancelled { return }
                logger.warning("mails cannot be sent", metadata: ["error": "\(String(reflecting: error))"])
            }
            await queue.queued.wait(since: seen, atMost: interval)
        }
    }

    /// Ends ``run(every:)`` after the mail that is being sent.
    package func stop() {
        isStopping.withLockedValue { $0 = true }
        queue.queued.notify()
    }

    /// Sends all mails that are due, one after the other.
    /// - Throws: what the database throws.
    package func sendDue() async throws {
        while !isStopping.withLockedValue({ $0 }), let claimed = try await queue.mails.claimNext() {
            do {
                try await send(claimed)
                try await queue.mails.sent(claimed)
            } catch let failure as MailFailure {
                logger.warning(
                    "a mail was not sent",
                    metadata: [
                        "mail": "\(claimed.mail.id)", "kind": "\(claimed.mail.kind.rawValue)",
                        "attempt": "\(claimed.attempts)", "reason": "\(failure)",
                    ])
                try await queue.mails.failed(claimed, retryIn: Self.retryDelays.wait(after: claimed.attempts))
            }
        }
    }

    /// Deletes what is too old.
    /// - Throws: what the database throws.
    package func purge() async throws {
        let unsent = try await queue.mails.purge()
        if unsent > 0 { logger.error("mails expired before they could be sent", metadata: ["mails": "\(unsent)"]) }
        try await queue.codes.purge()
    }

    static let retryDelays = RetryDelays(first: .seconds(10), times: 4, most: .seconds(3600))

    private func send(_ claimed: ClaimedMail) async throws {
        let mail = claimed.mail
        // An address that no account has gets no mail.
        guard let (account, address) = try await recipient(of: mail) else { return }
        var code: MailCode?
        if let lifetime = mail.kind.codeLifetime {
            let new = MailCode()
            try await queue.codes.add(
                new, for: MailedCode(kind: mail.kind, account: account, address: address), lifetime: lifetime)
            code = new
        }
        let name = "\(account)-\(mail.kind.rawValue)-\(mail.id.uuidString.lowercased())"
        let text = MailText(
            mail.kind, code: code, service: settings.sender.name ?? "Skein", app: settings.app)
        try await settings.transport.deliver(
            MailMessage(
                sender: settings.sender, recipient: address, subject: text.subject, text: text.plain,
                html: text.html, id: "\(mail.id.uuidString.lowercased())-\(claimed.attempts)", date: Date()),
            named: name)
    }

    /// The account and its address. That of a request for a new password is as the account has it, not as it was typed:
    /// a host may have another mailbox under a name that only looks the same.
    private func recipient(of mail: QueuedMail) async throws -> (AccountID, EmailAddress)? {
        if let account = mail.account { return (account, mail.address) }
        guard let holder = try await reservations.holder(of: mail.address),
            let address = try await contents.content(of: holder)[.email].map({ try EmailAddress($0) })
        else { return nil }
        return (AccountID(holder), address)
    }
}
