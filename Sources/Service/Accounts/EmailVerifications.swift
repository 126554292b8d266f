package import Domain
import EventLog
package import FoundationEssentials
import Vault

/// Proves by mail that addresses are those of accounts' owners: that of a new account, and one that an account is to
/// have instead.
package struct EmailVerifications: Sendable {
    /// Why no mail is sent, or a code is not accepted.
    package enum Rejection: Error, Hashable, Sendable {
        /// The address is verified already.
        case verified
        /// The code is unknown, expired or used, or was sent to an address that the account no longer has.
        case code
    }

    let store: StreamStore
    let contents: ContentStore
    let signer: CommandSigner
    let mail: MailQueue
    let reservations: Reservations
    let passwords: Passwords
    let mails: RequestQuota

    /// Sends another mail with a code.
    /// - Throws: ``Rejection``, ``CommandError``, ``QuotaRejection``; what the database throws.
    package func resend(to account: AccountID) async throws {
        try await mails.counting(.account(account)) { try await sendAnother(to: account) }
    }

    private func sendAnother(to account: AccountID) async throws {
        guard let stored: Stored<AccountState> = try await store.load(account.uuid) else { throw CommandError.gone }
        guard !stored.state.isVerified else { throw Rejection.verified }
        let address = try await address(of: stored)
        try await mail.queue(QueuedMail(.verification, account: account, to: address))
    }

    /// Sends a code to another address, which the account has as soon as the code is used. An earlier request for
    /// another address is void.
    /// - Throws: `Faults`, `Passwords.Rejection`, ``CommandError`` (such as `emailTaken`), ``QuotaRejection``; what the
    ///   database throws.
    package func requestChange(
        to address: EmailAddress, password: String, of account: AccountID
    ) async throws {
        try await mails.counting(.account(account)) {
            try await mails.counting(.login(address.comparable)) {
                try await passwords.confirming(account) { try await sendCode(to: address, password, of: account) }
            }
        }
    }

    private func sendCode(to address: EmailAddress, _ password: String, of account: AccountID) async throws {
        guard let stored: Stored<AccountState> = try await store.load(account.uuid) else { throw CommandError.gone }
        let held = try await self.address(of: stored)
        try await passwords.confirm(password, of: account)
        if stored.state.isVerified, address.text == held.text {
            throw Faults([Fault("/email", RuleViolation(.conflict, "must differ from the current address"))])
        }
        try await reservations.rejectTaken(address, except: account.uuid)
        try await mail.mails.withdraw(.address, to: account)
        try await mail.codes.void([.address], of: account)
        try await mail.queue(QueuedMail(.address, account: account, to: address))
    }

    /// Uses a code: the address that it was sent to is verified, or becomes that of its account. A retry with the same
    /// key has the first outcome.
    /// - Throws: ``Rejection``, ``CommandError``; what the database throws.
    package func verify(_ token: String, key: UUID) async throws {
        guard let code = MailCode(presented: token),
            let purpose = try await mail.codes.find(code, kinds: [.verification, .address])
        else { throw Rejection.code }
        let account = purpose.account
        let command = signer.identity(
            account: account.uuid, command: "VerifyEmail", target: account.uuid, key: key,
            request: CanonicalText(digest: code.digest),
            actor: account.uuid)
        let outcome: Outcome<AccountState> = try await store.change(account.uuid, ifVersions: nil, command) { stored in
            let held = try await address(of: stored)
            guard purpose.kind == .address || purpose.address == held,
                try await mail.codes.use(code, for: command.id)
            else { throw Rejection.code }
            if purpose.kind == .address { try await reservations.rejectTaken(purpose.address, except: account.uuid) }
            let change =
                purpose.kind == .address
                ? AccountCommand.changeEmail(purpose.address, held: held) : .verify(purpose.address, held: held)
            return try AccountDecider.decide(change, stored.state)
        }
        if purpose.kind == .address {
            try await conclude(purpose, command, outcome.stored)
        } else {
            try await mail.codes.void([.verification], of: account)
        }
    }

    /// Voids the codes that were sent to the former address, and sends it the news.
    private func conclude(
        _ purpose: MailedCode, _ command: CommandIdentity, _ stored: Stored<AccountState>
    ) async throws {
        try await mail.mails.withdraw(.address, to: purpose.account)
        try await mail.codes.void([.verification, .address, .reset], of: purpose.account)
        let former = try await contents.content(of: stored.id, asOf: stored.position - 1)[.email]
        guard let former = try former.map({ try EmailAddress($0) }), former.text != purpose.address.text
        else { return }
        try await mail.queue(
            QueuedMail(
                id: CommandID.stream(kind: "mail", of: command.id), .addressChanged, account: purpose.account,
                to: former))
    }

    /// - Throws: ``CommandError/gone`` for an account whose registration was redacted.
    private func address(of stored: Stored<AccountState>) async throws -> EmailAddress {
        guard stored.state.registration != nil,
            let text = try await contents.content(of: stored.id, asOf: stored.position)[.email]
        else { throw CommandError.gone }
        return try EmailAddress(text)
    }
}

extension Reservations {
    /// Rejects an address that another account has reserved in another spelling, before domains were compared in ASCII.
    /// (The append rejects one that is reserved in its present form.)
    /// - Throws: ``CommandError/emailTaken``; what the database throws.
    func rejectTaken(_ address: EmailAddress, except account: UUID) async throws {
        if let holder = try await holder(of: address), holder != account { throw CommandError.emailTaken }
    }
}
