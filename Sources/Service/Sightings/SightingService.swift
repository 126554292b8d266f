package import Domain
internal import EventLog
package import FoundationEssentials
package import Vault

/// What birders do with their sightings.
package struct SightingService: Sendable {
    let store: StreamStore
    let contents: ContentStore
    let accounts: AccountDirectory
    let catalogue: Catalogue
    let places: PlaceIndex
    let zones: any ZoneRules
    let signer: CommandSigner
    let now: @Sendable () -> Instant

    /// Puts the service together from what it keeps, places, dates and signs sightings with.
    package init(
        store: StreamStore, contents: ContentStore, accounts: AccountDirectory, catalogue: Catalogue,
        places: PlaceIndex, zones: any ZoneRules, signer: CommandSigner, now: @escaping @Sendable () -> Instant
    ) {
        self.store = store
        self.contents = contents
        self.accounts = accounts
        self.catalogue = catalogue
        self.places = places
        self.zones = zones
        self.signer = signer
        self.now = now
    }

    /// Records a sighting. The same key with the same draft finds the first outcome.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`; what the database throws.
    package func submit(_ draft: SightingDraft, by account: AccountID, key: UUID) async throws -> SightingOutcome {
        let command = signer.identity(
            account: account.uuid, command: "SubmitSighting", key: key, request: draft.canonical, actor: account.uuid)
        let id = CommandID.stream(kind: StreamKind.sighting.rawValue, of: command.id)
        let defaults = try await accounts.defaults(of: account)
        let outcome: Outcome<SightingState> = try await store.begin(id, command) {
            try SightingDecider.decide(.submit(try prepare(draft, account, defaults)), SightingState())
        }
        guard !outcome.isRepeat else { return try await repeated(outcome) }
        let finding = try finding(outcome.stored, notes: draft.notes?.text, verbatimName: draft.name?.text)
        return SightingOutcome(finding: finding, isRepeat: false, suggestions: suggestions(for: finding))
    }

    /// Changes a sighting of one's own.
    /// - Parameter ifVersions: the versions the owner would change; nil for any.
    /// - Throws: `Faults`, ``CommandError``, `SightingRejection`; what the database throws.
    package func correct(
        _ id: SightingID, _ patch: SightingPatch, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> SightingOutcome {
        let command = signer.identity(
            account: account.uuid, command: "CorrectSighting", key: key, request: patch.canonical,
            target: Self.target(id, ifVersions), actor: account.uuid)
        let outcome: Outcome<SightingState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            stored in
            let kept = try await kept(of: id)
            let correction = try prepare(patch, stored.state, account, kept)
            return try SightingDecider.decide(.correct(correction), stored.state)
        } mayAct: {
            Self.mayAsk(account, about: $0)
        }
        return try await repeated(outcome)
    }

    /// Takes a sighting of one's own back.
    /// - Returns: the position of the withdrawal.
    /// - Throws: ``CommandError``, `SightingRejection`; what the database throws.
    package func withdraw(
        _ id: SightingID, reason: WithdrawSighting.Reason, ifVersions: Set<Int>?, by account: AccountID, key: UUID
    ) async throws -> Int64 {
        let command = signer.identity(
            account: account.uuid, command: "WithdrawSighting", key: key, request: Array(reason.rawValue.utf8),
            target: Self.target(id, ifVersions), actor: account.uuid)
        let withdrawal = WithdrawSighting(observer: account, reason: reason)
        let outcome: Outcome<SightingState> = try await store.change(id.uuid, ifVersions: ifVersions, command) {
            stored in
            try SightingDecider.decide(.withdraw(withdrawal), stored.state)
        } mayAct: {
            Self.mayAsk(account, about: $0)
        }
        return outcome.stored.position
    }

    /// Whose a sighting was whose first payload is redacted nobody knows any more: everybody hears that it is gone.
    private static func mayAsk(_ account: AccountID, about state: SightingState) -> Bool {
        state.record.map { $0.observer == account } ?? state.isRedacted
    }

    /// A sighting of one's own as it is now, withdrawn ones included.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone``; what the database throws.
    package func finding(_ id: SightingID, of account: AccountID) async throws -> Finding {
        guard let stored: Stored<SightingState> = try await store.load(id.uuid) else { throw CommandError.notFound }
        guard Self.mayAsk(account, about: stored.state) else { throw CommandError.notFound }
        return try await finding(stored)
    }
}

extension SightingService {
    /// What a command is about, for its fingerprint.
    private static func target(_ id: SightingID, _ versions: Set<Int>?) -> String {
        "\(id)/" + (versions.map { $0.sorted().map(String.init).joined(separator: ",") } ?? "*")
    }
}

// MARK: - Answers

extension SightingService {
    /// The answer to a command that was carried out before, or that left what was typed as it was.
    private func repeated(_ outcome: Outcome<SightingState>) async throws -> SightingOutcome {
        if outcome.isRepeat, outcome.current.state.status == .withdrawn { throw CommandError.withdrawn }
        if outcome.current.state.record == nil { throw CommandError.gone }
        let finding = try await finding(outcome.stored)
        return SightingOutcome(
            finding: finding, isRepeat: outcome.isRepeat, suggestions: suggestions(for: finding))
    }

    private func finding(_ stored: Stored<SightingState>) async throws -> Finding {
        let content = try await contents.content(of: stored.id, asOf: stored.position)
        return try finding(stored, notes: content[.notes], verbatimName: content[.verbatimName])
    }

    private func finding(
        _ stored: Stored<SightingState>, notes: String?, verbatimName: String?
    ) throws -> Finding {
        guard let record = stored.state.record, let status = stored.state.status else { throw CommandError.gone }
        return Finding(
            id: SightingID(stored.id), record: record, status: status, withdrawal: stored.state.withdrawal,
            taxon: record.taxon.flatMap { catalogue.names.summary(of: $0) },
            notes: notes.flatMap { $0.isEmpty ? nil : $0 }, verbatimName: verbatimName, version: stored.version,
            position: stored.position, createdAt: stored.createdAt)
    }

    private func suggestions(for finding: Finding) -> [TaxonSummary] {
        guard finding.taxon == nil, let name = finding.verbatimName else { return [] }
        let names = catalogue.names
        return names.suggestions(for: name, limit: 5).compactMap { names.summary(of: $0.taxon) }
    }

    private func kept(of id: SightingID) async throws -> SightingContent {
        let content = try await contents.content(of: id.uuid)
        return SightingContent(
            notes: content[.notes].flatMap { try? Note($0) },
            verbatimName: content[.verbatimName].flatMap { try? VerbatimName($0) })
    }
}
