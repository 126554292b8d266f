/// The state of one stream, as far as decisions need it.
package protocol Aggregate: Equatable, Sendable {
    /// The events of the stream.
    associatedtype Event: DomainEvent
    /// The state before the first event.
    init()
    /// The state after one more event.
    mutating func evolve(_ event: Event)
}

extension Aggregate {
    /// Applies events, in stream order, to the initial state.
    package init(replaying events: some Sequence<Event>) {
        self.init()
        for event in events { evolve(event) }
    }
}

/// Decides commands. A pure function: time, ids and looked-up values come with the command.
package protocol Decider {
    /// The state on which decisions are based.
    associatedtype State: Aggregate
    /// The commands it decides.
    associatedtype Command: Sendable
    /// The reasons for rejecting a command.
    associatedtype Rejection: Error & Equatable

    /// Decides a command in a state.
    /// - Throws: the reason for rejecting it.
    static func decide(_ command: Command, _ state: State) throws(Rejection) -> Decision<State.Event>
}

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
