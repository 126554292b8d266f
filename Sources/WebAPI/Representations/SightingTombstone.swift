package import Domain
package import FoundationEssentials

/// What anybody sees of a sighting that was withdrawn or rejected.
package struct SightingTombstone: Sendable, JSONRepresentable {
    /// The public id.
    package var id: UUID
    /// What was said to have been seen.
    package var taxon: TaxonReference?
    /// `withdrawn` or `rejected`.
    package var status: String
    /// The reason's code: `mistake`, `vanished`, `undone`, or a moderator's.
    package var reason: String
    /// When it had been observed, no more precisely than it may be shown.
    package var observedAt: String
    /// When it was first recorded; nil where it may not be shown.
    package var recordedAt: Instant?
    /// When it ended; nil where it may not be shown.
    package var endedAt: Instant?

    /// Fills in everything.
    package init(
        id: UUID, taxon: TaxonReference?, status: String, reason: String, observedAt: String, recordedAt: Instant?,
        endedAt: Instant?
    ) {
        self.id = id
        self.taxon = taxon
        self.status = status
        self.reason = reason
        self.observedAt = observedAt
        self.recordedAt = recordedAt
        self.endedAt = endedAt
    }

    /// Writes what is left of the sighting.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("taxon", taxon)
            writer.field("status", status)
            writer.field("reason", reason)
            writer.field("observedAt", observedAt)
            writer.field("recordedAt", recordedAt)
            writer.field("endedAt", endedAt)
        }
    }
}
