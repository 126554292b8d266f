/// The account may do more.
package struct RoleGranted: EventPayload {
    package static let type = "RoleGranted"
    package var role: Role

    static let shape = Shape<Self>(Self.init, .required("role", \.role))
}

/// The account may do less.
package struct RoleRevoked: EventPayload {
    package static let type = "RoleRevoked"
    package var role: Role
    package var reason: RevocationReason?

    static let shape = Shape<Self>(Self.init, .required("role", \.role), .optional("reason", \.reason))
}

/// Until it ends, or an admin lifts it, the account may read, take its data and leave, and nothing else.
package struct Suspension: Hashable, Sendable {
    /// Nil where it was redacted.
    package var reason: SuspensionReason?
    /// Nil for no end.
    package var until: Instant?

    package init(reason: SuspensionReason?, until: Instant?) {
        (self.reason, self.until) = (reason, until)
    }

    /// Whether it has not ended.
    package func holds(at moment: Instant) -> Bool {
        until.map { moment < $0 } ?? true
    }
}

/// The account was suspended, or its suspension changed.
package struct AccountSuspended: EventPayload {
    package static let type = "AccountSuspended"
    package var reason: SuspensionReason
    package var until: Instant?

    static let shape = Shape<Self>(Self.init, .required("reason", \.reason), .optional("until", \.until))
}

extension AccountSuspended {
    init(_ suspension: Suspension) {
        self.init(reason: suspension.reason ?? .other, until: suspension.until)
    }
}

/// The account's suspension was lifted.
package struct AccountReinstated: EventPayload {
    package static let type = "AccountReinstated"
    package var reason: ReinstatementReason

    static let shape = Shape<Self>(Self.init, .required("reason", \.reason))
}

/// The public names from before this event were erased.
package struct DisplayNameRemoved: EventPayload {
    package static let type = "DisplayNameRemoved"
    package var reason: DisplayNameReason

    static let shape = Shape<Self>(Self.init, .required("reason", \.reason))
}
