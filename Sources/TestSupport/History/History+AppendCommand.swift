package import EventLog

extension History.Command {
    /// A command of a client of the log itself, which knows all of it.
    package init(_ command: AppendCommand) {
        self.init(
            id: command.id, stream: command.stream, expectedVersion: command.expectedVersion,
            fingerprint: command.fingerprint, actor: command.actor,
            events: command.events.map { event in
                Event(
                    type: event.type, payload: .text(event.payload),
                    content: Dictionary(
                        event.content.map { ($0.field, $0.value) }, uniquingKeysWith: { first, _ in first }))
            })
    }
}

extension History.Sending.Answer {
    /// The answer of a call that failed.
    package init(_ error: AppendError) {
        self =
            switch error {
            case .conflict: .conflict
            case .unknownOutcome: .unknown
            case .queueFull, .unavailable, .closed: .unsent
            default: .rejected
            }
    }
}
