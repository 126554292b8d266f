package import Domain
import EventLog
package import FoundationEssentials
import Logging
import ReadModels
import Vault

/// Leaving: erases accounts. An erasure begins with its event, and is durable from then on: in the same transaction,
/// the trigger `vault.begin_erasure` deletes what identifies the account. ``ErasureWorker`` does the rest.
package struct Leaving: Sendable {
    let store: StreamStore
    let passwords: Passwords
    let accounts: AccountQueries
    let directory: AccountDirectory
    let sessions: Sessions
    let signer: CommandSigner
    let logger: Logger

    /// Erases one's own account. All its tokens and keys are rejected from then on: in this process at once, in others
    /// within five seconds. A retry with the same key has the first outcome; so has a second erasure at the same time.
    /// - Throws: `AccountRejection`, `Passwords.Rejection`, ``CommandError``, ``QuotaRejection``; what the database
    ///   throws.
    package func leave(
        _ account: AccountID, password: String, sightings: LeavingChoice, key: UUID
    ) async throws {
        try await passwords.confirming(account) {
            try await confirmAndErase(account, password: password, sightings: sightings, key: key)
        }
    }

    private func confirmAndErase(
        _ account: AccountID, password: String, sightings: LeavingChoice, key: UUID
    ) async throws {
        try await erase(account, sightings, by: account, key: key) {
            do {
                try await passwords.confirm(password, of: account)
            } catch Passwords.Rejection.wrongPassword {
                // An erasure at the same time deletes the password; the append finds that out.
                let stored: Stored<AccountState>? = try await store.load(account.uuid)
                guard stored?.state.isErased == true else { throw Passwords.Rejection.wrongPassword }
            }
            guard try await !isLastAdmin(account, $0) else { throw AccountRejection.lastAdmin }
        }
    }

    /// Erases an account for an operator, even that of the last admin.
    /// - Throws: ``CommandError``, `AccountRejection`; what the database throws.
    package func erase(_ account: AccountID, sightings: LeavingChoice) async throws {
        try await erase(account, sightings, by: nil, key: account.uuid) { _ in }
    }

    private func erase(
        _ account: AccountID, _ sightings: LeavingChoice, by actor: AccountID?, key: UUID,
        permit: (AccountState) async throws -> Void
    ) async throws {
        let command = signer.identity(
            account: actor?.uuid ?? UUID(bytes: []), command: "EraseAccount", target: account.uuid, key: key,
            request: CanonicalText(sightings.rawValue), actor: actor?.uuid)
        let outcome: Outcome<AccountState> = try await store.change(account.uuid, ifVersions: nil, command) { stored in
            if !stored.state.isErased { try await permit(stored.state) }
            return try AccountDecider.decide(.erase(sightings), stored.state)
        }
        directory.forget(account)
        // The sessions are ended already; this process learns of it at once.
        try await sessions.endAll(of: account)
        guard !outcome.isRepeat else { return }
        logger.notice(
            "an account is erased", metadata: ["account": "\(account)", "sightings": "\(sightings.rawValue)"])
    }

    private func isLastAdmin(_ account: AccountID, _ state: AccountState) async throws -> Bool {
        guard state.roles.contains(.admin), state.suspension?.holds(at: .now) != true else { return false }
        return try await !accounts.hasAdmin(besides: account)
    }
}
