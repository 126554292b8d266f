package import Domain
import EventLog
package import FoundationEssentials
import Vault

/// Changing a password that its owner knows, and setting another one by mail.
package struct Passwords: Sendable {
    /// Why a password was not changed.
    package enum Rejection: Error, Hashable, Sendable {
        /// The present password is another one.
        case wrongPassword
        /// The code is unknown, expired or used, or was sent to an address that the account no longer has.
        case code
    }

    let store: StreamStore
    let contents: ContentStore
    let records: PasswordRecords
    let hasher: PasswordHasher
    let policy: PasswordPolicy
    let signer: CommandSigner
    let mail: MailQueue
    let sessions: Sessions
    let keys: ApiKeys
    let quotas: UseCaseQuotas

    /// Queues a mail with a code to an address. Whether an account has the address is looked up when the mail is sent:
    /// the request has the same duration for every address, and the same quota.
    /// - Throws: ``QuotaRejection``; what the database throws.
    package func sendCode(to address: EmailAddress) async throws {
        try await quotas.mails.counting(.login(address.comparable)) {
            try await mail.queue(QueuedMail(.reset, account: nil, to: address))
        }
    }

    /// Sets another password with a code, ends all sessions, deletes all API keys, and sends the owner a mail: whoever
    /// had the account before has it no longer. A retry with the same key has the first outcome.
    /// - Throws: `Faults`, ``Rejection``, ``CommandError``; what the database throws.
    package func reset(_ token: String, to password: String, key: UUID) async throws {
        guard let code = MailCode(presented: token),
            let purpose = try await mail.codes.find(code, kinds: [.reset])
        else { throw Rejection.code }
        let account = purpose.account
        let command = signer.identity(
            account: account.uuid, command: "ResetPassword", target: account.uuid, key: key,
            request: CanonicalText(digest: code.digest),
            actor: account.uuid)
        let change = Change(command: command, account: account, password: password, pointer: "/password", kept: nil)
        try await carryOut(change, telling: .passwordReset) { _, address in
            guard address == purpose.address, try await mail.codes.use(code, for: command.id) else {
                throw Rejection.code
            }
        }
        try await keys.forget(account)
    }

    /// Changes the password of a signed-in account, ends its other sessions, and sends the owner a mail. A retry with
    /// the same key has the first outcome.
    /// - Throws: `Faults`, ``Rejection``, ``CommandError``, ``QuotaRejection``; what the database throws.
    package func change(from old: String, to new: String, by caller: Principal, key: UUID) async throws {
        let account = caller.accountID
        let command = signer.identity(
            account: account.uuid, command: "ChangePassword", target: account.uuid, key: key, request: .empty,
            actor: account.uuid)
        let change = Change(
            command: command, account: account, password: new, pointer: "/newPassword", kept: caller.sessionID)
        try await confirming(account) {
            try await carryOut(change, telling: .passwordChanged) { record, _ in
                guard try await hasher.check(old, against: record) else { throw Rejection.wrongPassword }
            }
        }
    }

    /// Runs a request that a signed-in account confirms with its password. Only wrong passwords count.
    /// - Throws: ``QuotaRejection``; what the request throws.
    func confirming<Value>(_ account: AccountID, _ request: () async throws -> Value) async throws -> Value {
        try await quotas.confirmations.counting(Rejection.wrongPassword, .account(account), request)
    }

    /// Whether a password is the account's. Requests do this within ``confirming(_:_:)``.
    /// - Throws: ``Rejection/wrongPassword``, `PasswordHasher.Failure`; what the database throws.
    func confirm(_ password: String, of account: AccountID) async throws {
        guard try await hasher.check(password, against: try await contents.content(of: account.uuid)[.password]) else {
            throw Rejection.wrongPassword
        }
    }

    private struct Change {
        let command: CommandIdentity
        let account: AccountID
        let password: String
        /// Of the password in the request.
        let pointer: String
        /// The session that goes on.
        let kept: UUID?
    }

    /// - Parameter permit: rejects, given the present record and the address.
    private func carryOut(
        _ change: Change, telling kind: MailKind, permit: (String?, EmailAddress) async throws -> Void
    ) async throws {
        let id = change.account.uuid
        var record: String?
        let outcome: Outcome<AccountState> = try await store.change(id, ifVersions: nil, change.command) { stored in
            let content = try await contents.content(of: id, asOf: stored.position)
            guard stored.state.registration != nil, let address = try content[.email].map({ try EmailAddress($0) })
            else { throw CommandError.gone }
            var faults = Faults()
            _ = faults.check(change.pointer) { try policy.password(change.password, email: address) }
            try faults.throwIfAny()
            try await permit(content[.password], address)
            if record == nil { record = try await hasher.record(of: change.password) }
            // Before, too: even if this process ends in between, no session outlives the old password.
            try await sessions.endAll(of: change.account, except: change.kept)
            return try AccountDecider.decide(.changePassword(record: record ?? ""), stored.state)
        }
        let content = try await contents.content(of: id, asOf: outcome.stored.position)
        if outcome.isRepeat {
            guard try await isSame(change.password, as: content[.password]) else { throw CommandError.keyReused }
        } else {
            try await sessions.endAll(of: change.account, except: change.kept)
        }
        try await records.forgetFormer(of: change.account)
        // A mail that is not sent yet would bring another code.
        try await mail.mails.withdraw(.address, to: change.account)
        try await mail.codes.void([.reset, .address], of: change.account)
        if let address = try content[.email].map({ try EmailAddress($0) }) {
            let mailID = CommandID.stream(kind: "mail", of: change.command.id)
            try await mail.queue(QueuedMail(id: mailID, kind, account: change.account, to: address))
        }
    }

    /// The fingerprint in the log does not cover the password. One that has been replaced since is not kept.
    private func isSame(_ password: String, as record: String?) async throws -> Bool {
        guard let record else { return true }
        return try await hasher.check(password, against: record)
    }
}
