/// The outcome of a command: events for the log, with content and reservations written in the same transaction.
package struct Decision<Event: DomainEvent>: Equatable, Sendable {
    /// The events, in order; empty if nothing changes.
    package var events: [Event]
    /// Texts, each tied to one of the events.
    package var content: [ContentWrite]
    /// Values that no other stream may hold.
    package var reservations: [Reservation]

    package init(events: [Event], content: [ContentWrite] = [], reservations: [Reservation] = []) {
        self.events = events
        self.content = content
        self.reservations = reservations
    }

    /// The decision to change nothing.
    package static var nothing: Decision { Decision(events: []) }

    /// Whether there is nothing to append.
    package var isEmpty: Bool { events.isEmpty }
}
