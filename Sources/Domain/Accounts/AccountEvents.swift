/// The events of an account's stream.
package enum AccountEvent: Equatable, Sendable {
    case registered(AccountRegistered)
    case roleGranted(RoleGranted)
    case roleRevoked(RoleRevoked)
    case payloadRedacted(PayloadRedacted)
    /// One of the above whose payload is gone.
    case redacted(RedactedEvent)
}

extension AccountEvent: DomainEvent {
    /// The kind of stream that holds them.
    package static let stream = StreamKind.account

    /// What each of them means.
    package static let table = [
        EventDescription(AccountRegistered.type, "A person signed up.", by: "register", isComplete: true),
        EventDescription(RoleGranted.type, "The account may do more.", by: "grant"),
        EventDescription(RoleRevoked.type, "The account may do less.", by: "revoke"),
        PayloadRedacted.description,
    ]

    /// The event's name in the log.
    package var type: String {
        switch self {
        case .registered: AccountRegistered.type
        case .roleGranted: RoleGranted.type
        case .roleRevoked: RoleRevoked.type
        case .payloadRedacted: PayloadRedacted.type
        case .redacted(let event): event.type
        }
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        switch self {
        case .registered(let payload): payload.write(fields: &writer)
        case .roleGranted(let payload): payload.write(fields: &writer)
        case .roleRevoked(let payload): payload.write(fields: &writer)
        case .payloadRedacted(let payload): payload.write(fields: &writer)
        case .redacted(let event): event.write(fields: &writer)
        }
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        _ = try Self.description(of: reader.type)
        if let event = try RedactedEvent(reader) {
            self = .redacted(event)
            return
        }
        switch reader.type {
        case AccountRegistered.type: self = .registered(try AccountRegistered(reader))
        case RoleGranted.type: self = .roleGranted(try RoleGranted(reader))
        case RoleRevoked.type: self = .roleRevoked(try RoleRevoked(reader))
        case PayloadRedacted.type: self = .payloadRedacted(try PayloadRedacted(reader))
        default: throw .unknownType(reader.type)
        }
    }
}

/// A person signed up. E-mail, names and password are beside the log.
package struct AccountRegistered: EventPayload {
    /// The event's name in the log.
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
    /// The roles to begin with.
    package var roles: [Role]
    /// The person's statement of being old enough.
    package var oldEnough: Bool

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        state = try reader.optional("state")
        region = try reader.optional("region")
        licence = try reader.required("licence")
        geoprivacy = try reader.required("geoprivacy")
        attribution = try reader.required("attribution")
        observer = try reader.required("observer")
        roles = try reader.list("roles")
        oldEnough = try reader.required("oldEnough")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("state", state)
        writer.field("region", region)
        writer.field("licence", licence)
        writer.field("geoprivacy", geoprivacy)
        writer.field("attribution", attribution)
        writer.field("observer", observer)
        writer.field("roles", roles)
        writer.field("oldEnough", oldEnough)
    }
}

extension AccountRegistered {
    /// The event of a sign-up.
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

/// The account may do more.
package struct RoleGranted: EventPayload {
    /// The event's name in the log.
    package static let type = "RoleGranted"
    /// The role it has from now on.
    package var role: Role

    /// Names the role.
    package init(role: Role) {
        self.role = role
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        role = try reader.required("role")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("role", role)
    }
}

/// The account may do less.
package struct RoleRevoked: EventPayload {
    /// The event's name in the log.
    package static let type = "RoleRevoked"
    /// The role it no longer has.
    package var role: Role

    /// Names the role.
    package init(role: Role) {
        self.role = role
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        role = try reader.required("role")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("role", role)
    }
}
