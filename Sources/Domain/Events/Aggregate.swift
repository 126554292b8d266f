/// What the events of one stream add up to, as far as decisions need it.
package protocol Aggregate: Equatable, Sendable {
    /// The events of the stream.
    associatedtype Event: DomainEvent
    /// The state before the first event.
    init()
    /// The state after one more event.
    mutating func evolve(_ event: Event)
}

extension Aggregate {
    /// The state after events, in the order of the stream.
    package init(replaying events: some Sequence<Event>) {
        self.init()
        for event in events { evolve(event) }
    }
}

/// Decides what a command leads to. A pure function: time, ids and whatever was looked up come with the command.
package protocol Decider {
    /// What decisions rest on.
    associatedtype State: Aggregate
    /// What may be asked for.
    associatedtype Command: Sendable
    /// Why it may be refused.
    associatedtype Rejection: Error & Equatable

    /// What a command leads to in a state.
    /// - Throws: the reason to refuse it.
    static func decide(_ command: Command, _ state: State) throws(Rejection) -> Decision<State.Event>
}
