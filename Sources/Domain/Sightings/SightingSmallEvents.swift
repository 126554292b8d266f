/// Less of a sighting's place may be seen, also in answers about earlier positions.
package struct SightingGeoprivacyNarrowed: EventPayload {
    /// The event's name in the log.
    package static let type = "SightingGeoprivacyNarrowed"
    /// How much of it may be seen from now on.
    package var geoprivacy: Geoprivacy

    /// Puts the event together.
    package init(geoprivacy: Geoprivacy) {
        self.geoprivacy = geoprivacy
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        geoprivacy = try reader.required("geoprivacy")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("geoprivacy", geoprivacy)
    }
}

/// More of a sighting's place may be seen.
package struct SightingGeoprivacyWidened: EventPayload {
    /// The event's name in the log.
    package static let type = "SightingGeoprivacyWidened"
    /// How much of it may be seen from now on.
    package var geoprivacy: Geoprivacy

    /// Puts the event together.
    package init(geoprivacy: Geoprivacy) {
        self.geoprivacy = geoprivacy
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        geoprivacy = try reader.required("geoprivacy")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("geoprivacy", geoprivacy)
    }
}

/// A sighting was taken back.
package struct SightingWithdrawn: EventPayload {
    /// The event's name in the log.
    package static let type = "SightingWithdrawn"
    /// Why.
    package var reason: WithdrawalReason
    /// The import that was done without it, or undone.
    package var batch: BatchID?

    /// Puts the event together.
    package init(reason: WithdrawalReason, batch: BatchID? = nil) {
        self.reason = reason
        self.batch = batch
    }

    /// Reads the members.
    package init(_ reader: PayloadReader) throws(PayloadFault) {
        reason = try reader.required("reason")
        batch = try reader.optional("batch")
    }

    /// Writes the members.
    package func write(fields writer: inout PayloadWriter) {
        writer.field("reason", reason)
        writer.field("batch", batch)
    }
}
