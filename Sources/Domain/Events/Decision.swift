/// What a command leads to: events for the log, and beside it texts and reservations in the same transaction.
package struct Decision<Event: DomainEvent>: Equatable, Sendable {
    /// The events, in order; none where nothing changes.
    package var events: [Event]
    /// Texts, each tied to one of the events.
    package var content: [ContentWrite]
    /// What must still be free.
    package var reservations: [Reservation]

    /// Puts a decision together.
    package init(events: [Event], content: [ContentWrite] = [], reservations: [Reservation] = []) {
        self.events = events
        self.content = content
        self.reservations = reservations
    }

    /// A command that changes nothing.
    package static var nothing: Decision { Decision(events: []) }

    /// Whether there is nothing to append.
    package var isEmpty: Bool { events.isEmpty }
}
