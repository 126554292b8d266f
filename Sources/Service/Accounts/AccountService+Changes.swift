package import Domain
import EventLog
package import FoundationEssentials
import Vault

extension AccountService {
    /// Changes the settings and the names of one's own account.
    /// - Parameter ifVersions: the versions that may be changed (`If-Match`); nil for any.
    /// - Throws: `Faults`, ``CommandError``, `AccountRejection`, ``QuotaRejection``; what the database throws.
    package func change(
        _ account: AccountID, _ patch: ChangeAccount, ifVersions: Set<Int>?, key: UUID
    ) async throws -> AccountProfile {
        try await quotas.changes.counting(.account(account)) {
            try await changed(account, patch, ifVersions: ifVersions, key: key)
        }
    }

    private func changed(
        _ account: AccountID, _ patch: ChangeAccount, ifVersions: Set<Int>?, key: UUID
    ) async throws -> AccountProfile {
        let command = signer.identity(
            account: account.uuid, command: "ChangeAccount", target: account.uuid, ifVersions: ifVersions, key: key,
            request: patch.canonical, actor: account.uuid)
        let outcome: Outcome<AccountState> = try await store.change(account.uuid, ifVersions: ifVersions, command) {
            guard let settings = $0.state.settings else { throw CommandError.gone }
            return try AccountDecider.decide(.change(patch, try await lookups(of: patch, settings, $0.id)), $0.state)
        }
        directory.forget(account)
        return try await profile(outcome.stored)
    }

    private func lookups(
        of patch: ChangeAccount, _ settings: AccountSettings, _ account: UUID
    ) async throws -> AccountLookups {
        try faults(
            password: nil, email: nil, state: patch.changes.state.value, region: patch.changes.region.value,
            oldEnough: nil
        ).throwIfAny()
        let content = try await contents.content(of: account)
        let state = patch.changes.state.applied(to: settings.state)
        return AccountLookups(
            names: AccountNames(name: content[.name], displayName: content[.displayName]),
            stateRegion: state.flatMap { region(of: $0) })
    }
}

extension ChangeAccount {
    /// The form by whose fingerprint a repeated request is recognised. A new member is written only where it is
    /// present, and the others stay as they are.
    var canonical: CanonicalText {
        let members = CanonicalText { writer in
            writer.field("state", changes.state)
            writer.field("region", changes.region)
            writer.field("licence", changes.licence)
            writer.field("geoprivacy", changes.geoprivacy)
            writer.field("attribution", changes.attribution)
            writer.field("language", changes.language)
            writer.field("publicGallery", changes.publicGallery)
            if forgetsFormer { writer.field("forgetFormer", true) }
        }
        return members + CanonicalText(name?.typed) + CanonicalText(displayName.map(\.typed))
    }
}
