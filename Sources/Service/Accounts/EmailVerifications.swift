package import Domain
import EventLog
package import FoundationEssentials
import Vault

/// Proves by mail that an account's address is its owner's.
package struct EmailVerifications: Sendable {
    /// Why no mail is sent, or a code is not accepted.
    package enum Refusal: Error, Hashable, Sendable {
        /// The address is verified already.
        case verified
        /// The code is unknown, expired or used, or was sent to an address that the account no longer has.
        case code
    }

    let store: StreamStore
    let contents: ContentStore
    let signer: CommandSigner
    let mail: MailQueue

    /// Sends another mail with a code.
    /// - Throws: ``Refusal``, ``CommandError``; what the database throws.
    package func resend(to account: AccountID) async throws {
        guard let stored: Stored<AccountState> = try await store.load(account.uuid) else { throw CommandError.notFound }
        guard !stored.state.isVerified else { throw Refusal.verified }
        guard let address = try await address(of: stored) else { throw CommandError.gone }
        try await mail.queue(QueuedMail(.verification, account: account, to: address))
    }

    /// Verifies the address that a code was sent to. A retry with the same key has the first outcome.
    /// - Throws: ``Refusal``, ``CommandError``, `AccountRejection`; what the database throws.
    package func verify(_ token: String, key: UUID) async throws {
        guard let code = MailCode(presented: token),
            let purpose = try await mail.codes.find(code, kinds: [.verification])
        else { throw Refusal.code }
        let account = purpose.account.uuid
        let command = signer.identity(
            account: account, command: "VerifyEmail", target: account, key: key, request: code.digest, actor: account)
        let _: Outcome<AccountState> = try await store.change(account, ifVersions: nil, command) { stored in
            guard try await mail.codes.use(code, for: command.id) else { throw Refusal.code }
            let held = try await address(of: stored)
            do {
                return try AccountDecider.decide(.verify(purpose.address, held: held), stored.state)
            } catch AccountRejection.otherAddress {
                throw Refusal.code
            }
        }
        try await mail.codes.void([.verification], of: purpose.account)
    }

    private func address(of stored: Stored<AccountState>) async throws -> EmailAddress? {
        let text = try await contents.content(of: stored.id, asOf: stored.position)[.email]
        return try text.map { try EmailAddress($0) }
    }
}
