package import Domain
import EventLog
package import FoundationEssentials
import ReadModels
import Vault

/// The admin who asks for a change of another's account, and the key of the request.
package struct AdministrationRequest: Sendable {
    /// Nil for the operator at the command line.
    let admin: AccountID?
    let key: UUID

    package init(by admin: AccountID?, key: UUID) {
        (self.admin, self.key) = (admin, key)
    }
}

// Changes of accounts by admins, and by the operator at the command line. They hold in this process at once, in others
// within five seconds. An account that may not moderate any more holds no claims.
extension AccountService {
    /// Grants a role.
    /// - Parameters:
    ///   - actor: the admin who grants it; nil for the operator at the command line.
    ///   - key: of the request; the operator's grant is found by what it grants.
    /// - Throws: ``CommandError``, `AccountRejection`; what the database throws.
    package func grant(_ role: Role, to account: AccountID, by actor: AccountID?, key: UUID) async throws
        -> AccountProfile
    {
        let request = AdministrationRequest(by: actor, key: key)
        return try await administer(account, "GrantRole", CanonicalText(role.rawValue), request) { .grant(role) }
    }

    /// Revokes a role. Only the operator revokes that of the last admin.
    /// - Throws: ``CommandError``, `AccountRejection`; what the database throws.
    package func revoke(
        _ role: Role, of account: AccountID, for reason: RevocationReason, _ request: AdministrationRequest
    ) async throws -> AccountProfile {
        let words = CanonicalText(role.rawValue, reason.rawValue)
        return try await administer(account, "RevokeRole", words, request) {
            if role == .admin, request.admin != nil, try await !admins.hasAdmin(besides: account) {
                throw AccountRejection.lastAdmin
            }
            return .revoke(role, reason)
        }
    }

    /// Suspends an account, or changes its suspension.
    /// - Throws: `Faults` for an end that is past; ``CommandError``, `AccountRejection`; what the database throws.
    package func suspend(
        _ account: AccountID, for reason: SuspensionReason, until: Instant?, _ request: AdministrationRequest
    ) async throws -> AccountProfile {
        let words = CanonicalText(reason.rawValue, until.map { "\($0.microsecondsSince1970)" })
        return try await administer(account, "SuspendAccount", words, request) {
            guard request.admin != account else { throw AccountRejection.ownAccount }
            if let until, until <= now() {
                throw Faults([Fault("/until", RuleViolation(.range, "must be in the future"))])
            }
            return .suspend(Suspension(reason: reason, until: until))
        }
    }

    /// Lifts a suspension.
    /// - Throws: ``CommandError``, `AccountRejection`; what the database throws.
    package func reinstate(
        _ account: AccountID, for reason: ReinstatementReason, _ request: AdministrationRequest
    ) async throws -> AccountProfile {
        try await administer(account, "ReinstateAccount", CanonicalText(reason.rawValue), request) {
            .reinstate(reason)
        }
    }

    /// Erases the public names of an account.
    /// - Throws: ``CommandError``, `AccountRejection`; what the database throws.
    package func removeDisplayName(
        of account: AccountID, for reason: DisplayNameReason, _ request: AdministrationRequest
    ) async throws -> AccountProfile {
        try await administer(account, "RemoveDisplayName", CanonicalText(reason.rawValue), request) {
            .removeDisplayName(reason)
        }
    }

    /// - Parameters:
    ///   - name: the command's name, for its identity.
    ///   - words: what is asked for, for the fingerprint.
    private func administer(
        _ account: AccountID, _ name: String, _ words: CanonicalText, _ request: AdministrationRequest,
        _ command: () async throws -> AccountCommand
    ) async throws -> AccountProfile {
        let identity = signer.identity(
            account: request.admin?.uuid ?? UUID(bytes: []), command: name, target: account.uuid, key: request.key,
            request: words, actor: request.admin?.uuid)
        let outcome: Outcome<AccountState> = try await store.change(account.uuid, ifVersions: nil, identity) {
            try AccountDecider.decide(try await command(), $0.state)
        }
        directory.forget(account)
        let profile = try await profile(outcome.stored)
        if profile.suspension != nil || profile.roles.isDisjoint(with: [.moderator, .admin]) {
            try await claims.release(of: account, at: now())
        }
        return profile
    }
}
