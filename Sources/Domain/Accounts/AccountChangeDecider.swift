/// Changes settings and names of an account.
package struct ChangeAccount: Equatable, Sendable {
    package var changes = AccountSettingsChanges()
    package var name: PersonName?
    /// The public name; cleared for the default one.
    package var displayName: Change<DisplayName> = .unset
    /// Whether names from before are erased.
    package var forgetsFormer = false

    package init() {}
}

/// The values that the decision about a change looked up.
package struct AccountLookups: Equatable, Sendable {
    /// The names before the change.
    package var names: AccountNames
    /// The region of the state after the change; nil without a state.
    package var stateRegion: RegionCode?

    package init(names: AccountNames, stateRegion: RegionCode?) {
        (self.names, self.stateRegion) = (names, stateRegion)
    }
}

extension AccountDecider {
    static func change(
        _ command: ChangeAccount, _ lookups: AccountLookups, _ state: AccountState
    ) throws(AccountRejection) -> Decision<AccountEvent> {
        guard let old = state.settings else { throw .notFound }
        let new = old.applying(command.changes, stateRegion: lookups.stateRegion)
        if command.changes.movesPlace, new.state != nil, let region = lookups.stateRegion, new.region != region {
            throw .invalid(Faults([Fault("/region", .otherRegion)]))
        }
        let names = command.names(after: lookups.names)
        var decision = Decision<AccountEvent>.nothing
        let renamed = names.writes(against: lookups.names)
        let forgets = command.forgetsFormer && (state.hasFormerNames || !renamed.isEmpty)
        let changed = forgets ? [] : renamed
        decision.add(AccountChanged(from: old, to: new, content: changed.map(\.field)), changed)
        if let narrowed = AccountNarrowed(from: old, to: new, .anonymous, false) {
            decision.events.append(.narrowed(narrowed))
        }
        if let widened = AccountWidened(from: old, to: new, .displayName, true) {
            decision.events.append(.widened(widened))
        }
        if forgets { decision.forget(keeping: names) }
        return decision
    }
}

extension ChangeAccount {
    fileprivate func names(after names: AccountNames) -> AccountNames {
        AccountNames(
            name: name?.text ?? names.name, displayName: displayName.map(\.text).applied(to: names.displayName))
    }
}

extension AccountNames {
    /// The fields to be written for these names to follow others.
    fileprivate func writes(against old: AccountNames) -> [(field: ContentField, value: String?)] {
        var writes: [(field: ContentField, value: String?)] = []
        if name != old.name { writes.append((.name, name)) }
        if displayName != old.displayName { writes.append((.displayName, displayName)) }
        return writes
    }
}

extension Decision<AccountEvent> {
    fileprivate mutating func add(_ payload: AccountChanged, _ writes: [(field: ContentField, value: String?)]) {
        guard !payload.isEmpty else { return }
        for (field, value) in writes {
            content.append(ContentWrite(event: events.count, field: field, value: value))
        }
        events.append(.changed(payload))
    }

    fileprivate mutating func forget(keeping names: AccountNames) {
        let kept = names.writes(against: AccountNames(name: nil, displayName: nil))
        for (field, value) in kept {
            content.append(ContentWrite(event: events.count, field: field, value: value))
        }
        events.append(.namesForgotten(AccountNamesForgotten(content: kept.map(\.field))))
    }
}

extension RuleViolation {
    /// A region that does not contain the state.
    package static let otherRegion = RuleViolation(.conflict, "must be the region that the state is part of")
}
