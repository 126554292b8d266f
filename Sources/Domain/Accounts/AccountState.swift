/// The state of an account, from its events.
package struct AccountState: Aggregate {
    /// The registration; nil if there is no account, or if it was redacted.
    package private(set) var registration: AccountRegistered?
    /// The roles granted and not revoked.
    package private(set) var roles: Set<Role> = []
    /// Whether the owner has proved to receive mail at the address.
    package private(set) var isVerified = false
    /// Whether the stream holds an account.
    package private(set) var exists = false

    package init() {}

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
        case .emailVerified, .emailChanged:
            isVerified = true
        case .passwordChanged, .payloadRedacted:
            break
        case .redacted(let event):
            exists = true
            if [EmailVerified.type, EmailChanged.type].contains(event.type) { isVerified = true }
        }
    }
}
