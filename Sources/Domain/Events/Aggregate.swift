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
