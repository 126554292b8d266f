/// The state of an account, from its events.
package struct AccountState: Aggregate {
    /// The registration; nil if there is no account, or if it was redacted.
    package private(set) var registration: AccountRegistered?
    /// Its present settings; nil where ``registration`` is.
    package private(set) var settings: AccountSettings?
    /// The roles granted and not revoked.
    package private(set) var roles: Set<Role> = []
    /// Whether the owner has proved to receive mail at the address.
    package private(set) var isVerified = false
    /// Whether names have been changed since former ones were last erased.
    package private(set) var hasFormerNames = false
    /// The newest suspension that was not lifted; it may have ended.
    package private(set) var suspension: Suspension?
    /// Whether the stream holds an account, or held one.
    package private(set) var exists = false
    /// Whether its owner has left. Nothing else of the state is known then.
    package private(set) var isErased = false

    package init() {}

    package mutating func evolve(_ event: AccountEvent) {
        switch event {
        case .registered(let payload):
            exists = true
            registration = payload
            settings = AccountSettings(payload)
            roles = Set(payload.roles)
        case .changed(let payload):
            settings?.apply(payload)
            hasFormerNames = hasFormerNames || !payload.content.isEmpty
        case .narrowed(let payload): settings?.apply(payload)
        case .widened(let payload): settings?.apply(payload)
        case .roleGranted(let payload): roles.insert(payload.role)
        case .roleRevoked(let payload): roles.remove(payload.role)
        case .emailVerified, .emailChanged: isVerified = true
        case .suspended(let payload): suspension = Suspension(reason: payload.reason, until: payload.until)
        case .reinstated: suspension = nil
        case .namesForgotten: hasFormerNames = false
        case .erased: erase()
        case .passwordChanged, .displayNameRemoved, .payloadRedacted: break
        case .redacted(let event):
            exists = true
            evolve(redacted: event.type)
        }
    }

    private mutating func erase() {
        self = AccountState()
        (exists, isErased) = (true, true)
    }

    /// A restriction outlasts the redaction of its event, and so does the proof of an address.
    private mutating func evolve(redacted type: String) {
        switch type {
        case EmailVerified.type, EmailChanged.type: isVerified = true
        case AccountNarrowed.type:
            settings?.attribution = .anonymous
            settings?.publicGallery = false
        case AccountChanged.type:
            settings?.geoprivacy = .private
            hasFormerNames = true
        case AccountSuspended.type: suspension = Suspension(reason: nil, until: nil)
        case AccountReinstated.type: suspension = nil
        case AccountErased.type: erase()
        default: break
        }
    }
}
