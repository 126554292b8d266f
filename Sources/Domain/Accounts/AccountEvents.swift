/// The events of an account's stream.
package enum AccountEvent: Equatable, Sendable {
    case registered(AccountRegistered)
    case roleGranted(RoleGranted)
    case roleRevoked(RoleRevoked)
    case payloadRedacted(PayloadRedacted)
    /// An event whose payload was redacted.
    case redacted(RedactedEvent)
}

extension AccountEvent: DomainEvent {
    package static let stream = StreamKind.account

    package static let table = [
        EventDescription(AccountRegistered.type, "A person signed up.", by: "register", isComplete: true),
        EventDescription(RoleGranted.type, "The account may do more.", by: "grant"),
        EventDescription(RoleRevoked.type, "The account may do less.", by: "revoke"),
        PayloadRedacted.description,
    ]

    package var type: String {
        switch self {
        case .registered: AccountRegistered.type
        case .roleGranted: RoleGranted.type
        case .roleRevoked: RoleRevoked.type
        case .payloadRedacted: PayloadRedacted.type
        case .redacted(let event): event.type
        }
    }

    package func write(fields writer: inout PayloadWriter) {
        switch self {
        case .registered(let payload): payload.write(fields: &writer)
        case .roleGranted(let payload): payload.write(fields: &writer)
        case .roleRevoked(let payload): payload.write(fields: &writer)
        case .payloadRedacted(let payload): payload.write(fields: &writer)
        case .redacted(let event): event.write(fields: &writer)
        }
    }

    /// - Throws: ``PayloadFault`` naming the member.
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

    /// - Throws: ``PayloadFault`` naming the member.
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
    package static let type = "RoleGranted"
    package var role: Role

    package init(role: Role) {
        self.role = role
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        role = try reader.required("role")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("role", role)
    }
}

/// The account may do less.
package struct RoleRevoked: EventPayload {
    package static let type = "RoleRevoked"
    package var role: Role

    package init(role: Role) {
        self.role = role
    }

    /// - Throws: ``PayloadFault`` naming the member.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        role = try reader.required("role")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("role", role)
    }
}
