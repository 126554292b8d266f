/// Decides account commands. The right to grant a role is checked earlier, because it depends on another account.
package enum AccountDecider: Decider {
    /// - Throws: ``AccountRejection``.
    package static func decide(
        _ command: AccountCommand, _ state: AccountState
    ) throws(AccountRejection) -> Decision<AccountEvent> {
        switch command {
        case .erase(let sightings):
            return try erase(sightings, state)
        case _ where state.isErased:
            throw .erased
        case .register(let registration):
            return try register(registration, state)
        case .change(let change, let lookups):
            return try self.change(change, lookups, state)
        case .grant(let role):
            guard state.exists else { throw .notFound }
            return state.roles.contains(role) ? .nothing : Decision(events: [.roleGranted(RoleGranted(role: role))])
        case .revoke(let role, let reason):
            guard state.exists else { throw .notFound }
            guard role != .birder else { throw .birderIsForEveryone }
            guard state.roles.contains(role) else { return .nothing }
            return Decision(events: [.roleRevoked(RoleRevoked(role: role, reason: reason))])
        case .suspend(let suspension):
            guard state.exists else { throw .notFound }
            guard state.suspension != suspension else { return .nothing }
            return Decision(events: [.suspended(AccountSuspended(suspension))])
        case .reinstate(let reason):
            guard state.exists else { throw .notFound }
            guard state.suspension != nil else { return .nothing }
            return Decision(events: [.reinstated(AccountReinstated(reason: reason))])
        case .removeDisplayName(let reason):
            guard state.exists else { throw .notFound }
            return Decision(events: [.displayNameRemoved(DisplayNameRemoved(reason: reason))])
        case .verify(let address, let held):
            guard state.registration != nil else { throw .notFound }
            guard address == held else { throw .otherAddress }
            return state.isVerified ? .nothing : Decision(events: [.emailVerified(EmailVerified())])
        case .changeEmail(let address, let held):
            guard state.registration != nil else { throw .notFound }
            if state.isVerified, address.text == held?.text { return .nothing }
            return Decision(
                events: [.emailChanged(EmailChanged())],
                content: [ContentWrite(event: 0, field: .email, value: address.text)],
                reservations: [Reservation(kind: .email, text: address.comparable)])
        case .changePassword(let record):
            guard state.registration != nil else { throw .notFound }
            return Decision(
                events: [.passwordChanged(PasswordChanged())],
                content: [ContentWrite(event: 0, field: .password, value: record)])
        }
    }

    private static func register(
        _ command: RegisterAccount, _ state: AccountState
    ) throws(AccountRejection) -> Decision<AccountEvent> {
        guard !state.exists else { throw .alreadyRegistered }
        guard command.faults.isEmpty else { throw .invalid(command.faults) }
        var content = [
            ContentWrite(event: 0, field: .email, value: command.email.text),
            ContentWrite(event: 0, field: .name, value: command.name.text),
            ContentWrite(event: 0, field: .password, value: command.passwordRecord),
        ]
        if let displayName = command.displayName {
            content.append(ContentWrite(event: 0, field: .displayName, value: displayName.text))
        }
        return Decision(
            events: [.registered(AccountRegistered(command))], content: content,
            reservations: [Reservation(kind: .email, text: command.email.comparable)])
    }
}
