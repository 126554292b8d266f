/// The events of an account's stream.
package enum AccountEvent: Equatable, Sendable {
    case registered(AccountRegistered)
    case changed(AccountChanged)
    case narrowed(AccountNarrowed)
    case widened(AccountWidened)
    case namesForgotten(AccountNamesForgotten)
    case roleGranted(RoleGranted)
    case roleRevoked(RoleRevoked)
    case emailVerified(EmailVerified)
    case emailChanged(EmailChanged)
    case passwordChanged(PasswordChanged)
    case suspended(AccountSuspended)
    case reinstated(AccountReinstated)
    case displayNameRemoved(DisplayNameRemoved)
    case erased(AccountErased)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension AccountEvent: DomainEvent {
    package static let stream = StreamKind.account

    package static let table: [EventEntry<Self>] = [
        EventEntry(registered, "A person signed up.", by: "register", isComplete: true),
        EventEntry(changed, "Settings or names of the account were changed.", by: "change"),
        EventEntry(narrowed, "The name, or the photos together, may no longer be shown.", by: "change", .restriction),
        EventEntry(widened, "The name, or the photos together, may be shown again.", by: "change"),
        EventEntry(namesForgotten, "The account's former names were erased.", by: "change", .restriction),
        EventEntry(roleGranted, "The account was granted a role.", by: "grant"),
        EventEntry(roleRevoked, "A role of the account was revoked.", by: "revoke"),
        EventEntry(emailVerified, "The owner proved to receive mail at the account's address.", by: "verify"),
        EventEntry(
            emailChanged, "The account got another address, at which its owner receives mail.", by: "changeEmail"),
        EventEntry(passwordChanged, "The account got another password.", by: "changePassword"),
        EventEntry(suspended, "An admin suspended the account.", by: "suspend"),
        EventEntry(reinstated, "The account is no longer suspended.", by: "reinstate"),
        EventEntry(
            displayNameRemoved, "An admin erased the account's public names.", by: "removeDisplayName", .restriction),
        EventEntry(erased, "The owner left, and the account was erased.", by: "erase", .restriction),
        .redaction(payloadRedacted),
    ]

    package var body: any EventBody {
        switch self {
        case .registered(let payload): payload
        case .changed(let payload): payload
        case .narrowed(let payload): payload
        case .widened(let payload): payload
        case .namesForgotten(let payload): payload
        case .roleGranted(let payload): payload
        case .roleRevoked(let payload): payload
        case .emailVerified(let payload): payload
        case .emailChanged(let payload): payload
        case .passwordChanged(let payload): payload
        case .suspended(let payload): payload
        case .reinstated(let payload): payload
        case .displayNameRemoved(let payload): payload
        case .erased(let payload): payload
        case .payloadRedacted(let payload): payload
        case .redacted(let event): event
        }
    }
}

/// A person signed up. E-mail, names and password are beside the log.
package struct AccountRegistered: EventPayload {
    package static let type = "AccountRegistered"
    /// The state, nil for elsewhere.
    package var state: StateCode?
    /// The region that targets are wanted for.
    package var region: RegionCode?
    /// The licence of sightings that name none.
    package var licence: Licence
    /// The geoprivacy of sightings that name none.
    package var geoprivacy: Geoprivacy
    /// The name under which public records appear.
    package var attribution: Attribution
    /// The pseudonym under which the person's records are public.
    package var observer: ObserverID
    /// The initial roles.
    package var roles: [Role]
    /// The person's statement of being old enough.
    package var oldEnough: Bool

    static let shape = Shape<Self>(
        Self.init,
        .optional("state", \.state),
        .optional("region", \.region),
        .required("licence", \.licence),
        .required("geoprivacy", \.geoprivacy),
        .required("attribution", \.attribution),
        .required("observer", \.observer),
        .list("roles", \.roles),
        .required("oldEnough", \.oldEnough))
}

extension AccountRegistered {
    init(_ command: RegisterAccount) {
        state = command.state
        region = command.region ?? command.stateRegion
        licence = command.licence
        geoprivacy = command.geoprivacy
        attribution = command.attribution
        observer = command.observer
        roles = [.birder]
        oldEnough = command.oldEnough
    }
}

/// The owner proved to receive mail at the account's address.
package struct EmailVerified: EventPayload {
    package static let type = "EmailVerified"
    static let shape = Shape<Self>(Self.init)
}

/// The account got another address, at which its owner receives mail. The address is beside the log.
package struct EmailChanged: EventPayload {
    package static let type = "EmailChanged"
    static let shape = Shape<Self>(Self.init)
}

/// The account got another password. Its record is beside the log.
package struct PasswordChanged: EventPayload {
    package static let type = "PasswordChanged"
    static let shape = Shape<Self>(Self.init)
}
