package import Domain
package import FoundationEssentials

/// One outing that several sightings share: what effort stood behind them.
package struct VisitView: Hashable, Sendable, JSONRepresentable {
    /// The outing's id, chosen by the observer's device.
    package var id: UUID
    /// When it began.
    package var startedAt: Instant
    /// How long it took, in minutes.
    package var minutes: Int?
    /// How long the way was, in kilometres.
    package var distanceKm: Double?
    /// How many people were watching.
    package var observers: Int?
    /// Whether every species that could be identified is listed.
    package var complete: Bool?

    /// Fills in everything.
    package init(
        id: UUID, startedAt: Instant, minutes: Int?, distanceKm: Double?, observers: Int?, complete: Bool?
    ) {
        self.id = id
        self.startedAt = startedAt
        self.minutes = minutes
        self.distanceKm = distanceKm
        self.observers = observers
        self.complete = complete
    }

    /// Writes the outing with its effort.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("startedAt", startedAt)
            writer.field("minutes", minutes)
            writer.field("distanceKm", distanceKm)
            writer.field("observers", observers)
            writer.field("complete", complete)
        }
    }
}
