/// The kinds of streams.
package enum StreamKind: String, Vocabulary {
    case account, dataset, sighting, taxon
}

/// The events of one kind of stream. Events are facts and never change shape; new optional members may be added.
package protocol DomainEvent: Equatable, Sendable {
    /// The kind of stream that holds them.
    static var stream: StreamKind { get }
    /// What each of them means, in the order of a stream's life.
    static var table: [EventDescription] { get }
    /// The name in the log.
    var type: String { get }
    /// Writes the members of the payload.
    func write(fields writer: inout PayloadWriter)
    /// Reads an event.
    /// - Throws: ``PayloadFault`` for an unknown type, and for members that are missing or break their rules.
    init(_ reader: PayloadReader) throws(PayloadFault)
}

extension DomainEvent {
    /// The payload as JSON.
    package var payload: [UInt8] {
        var writer = PayloadWriter()
        writer.object { write(fields: &$0) }
        return writer.bytes
    }

    /// Reads an event as the log keeps it.
    /// - Throws: ``PayloadFault`` for an unknown type, and for a payload that is not this event's.
    package init(type: String, payload: [UInt8]) throws(PayloadFault) {
        try self.init(try PayloadReader(type: type, payload: payload))
    }
}

/// The payload of one type of event.
package protocol EventPayload: Equatable, Sendable {
    /// The event's name in the log.
    static var type: String { get }
    /// Writes the members.
    func write(fields writer: inout PayloadWriter)
    /// Reads the members.
    init(_ reader: PayloadReader) throws(PayloadFault)
}

/// What an event means, and when it may be shown to have happened.
package struct EventDescription: Hashable, Sendable {
    /// Whether an event is held back from answers about an earlier position.
    package enum Effect: Hashable, Sendable {
        /// Never applied to answers about positions before it.
        case knowledge
        /// Applied to every answer given after it, whatever position the answer is about.
        case restriction
        /// One or the other, as the text says.
        case either(String)
    }

    /// The event's name in the log.
    package let type: String
    /// What happened, in one sentence.
    package let meaning: String
    /// The command that decides it.
    package let decidedBy: String
    /// Knowledge or restriction.
    package let effect: Effect

    init(_ type: String, _ meaning: String, by command: String, _ effect: Effect = .knowledge) {
        self.type = type
        self.meaning = meaning
        self.decidedBy = command
        self.effect = effect
    }
}
