/// The account may do more.
package struct RoleGranted: EventPayload {
    package static let type = "RoleGranted"
    package var role: Role

    init(role: Role) {
        self.role = role
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
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
    package var reason: RevocationReason?

    init(role: Role, reason: RevocationReason?) {
        (self.role, self.reason) = (role, reason)
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        role = try reader.required("role")
        reason = try reader.optional("reason")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("role", role)
        writer.field("reason", reason)
    }
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

    init(reason: SuspensionReason, until: Instant? = nil) {
        (self.reason, self.until) = (reason, until)
    }

    init(_ suspension: Suspension) {
        self.init(reason: suspension.reason ?? .other, until: suspension.until)
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        reason = try reader.required("reason")
        until = try reader.optional("until")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("reason", reason)
        writer.field("until", until)
    }
}

/// The account's suspension was lifted.
package struct AccountReinstated: EventPayload {
    package static let type = "AccountReinstated"
    package var reason: ReinstatementReason

    init(reason: ReinstatementReason) {
        self.reason = reason
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        reason = try reader.required("reason")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("reason", reason)
    }
}

/// The public names from before this event were erased.
package struct DisplayNameRemoved: EventPayload {
    package static let type = "DisplayNameRemoved"
    package var reason: DisplayNameReason

    init(reason: DisplayNameReason) {
        self.reason = reason
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        reason = try reader.required("reason")
    }

    package func write(fields writer: inout PayloadWriter) {
        writer.field("reason", reason)
    }
}
