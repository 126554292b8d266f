/// What an account's events add up to.
package struct AccountState: Aggregate {
    /// What the person signed up with; nil while there is no account, or when that was redacted.
    package private(set) var registration: AccountRegistered?
    /// What the account may do.
    package private(set) var roles: Set<Role> = []
    /// Whether somebody signed up on this stream.
    package private(set) var exists = false

    /// No account.
    package init() {}

    /// The account after one more event.
    package mutating func evolve(_ event: AccountEvent) {
        switch event {
        case .registered(let payload):
            exists = true
            registration = payload
            roles = Set(payload.roles)
        case .roleGranted(let payload):
            roles.insert(payload.role)
        case .roleRevoked(let payload):
            roles.remove(payload.role)
        case .payloadRedacted:
            break
        case .redacted:
            exists = true
        }
    }
}
