/// The kinds of streams.
package enum StreamKind: String, Vocabulary {
    case account, dataset, export, photo, sighting, targets, taxon
}

/// The events of one kind of stream. Events are facts and never change shape; new optional members may be added.
package protocol DomainEvent: Equatable, Sendable {
    /// The kind of stream that holds them.
    static var stream: StreamKind { get }
    /// The events, in the order of a stream's life.
    static var table: [EventEntry<Self>] { get }
    /// An event whose payload was redacted.
    static func redacted(_ event: RedactedEvent) -> Self
    /// The payload, or what redaction left of it.
    var body: any EventBody { get }
}

extension DomainEvent {
    /// The name in the log.
    package var type: String { body.type }

    /// The payload as JSON.
    package var payload: [UInt8] {
        let body = body
        var writer = PayloadWriter()
        writer.object { body.write(fields: &$0) }
        return writer.bytes
    }

    /// Reads an event as the log keeps it.
    /// - Throws: ``PayloadFault`` for an unknown type, and for members that are missing or break their rules.
    package init(type: String, payload: [UInt8]) throws(PayloadFault) {
        try self.init(try PayloadReader(type: type, payload: payload))
    }

    init(_ reader: PayloadReader) throws(PayloadFault) {
        let entry = try Self.entry(of: reader.type)
        if let event = try RedactedEvent(reader) {
            self = .redacted(event)
        } else {
            self = try entry.read(reader)
        }
    }

    private static func entry(of type: String) throws(PayloadFault) -> EventEntry<Self> {
        guard let entry = table.first(where: { $0.description.type == type }) else { throw .unknownType(type) }
        return entry
    }

    /// The description of one of the stream's events.
    /// - Throws: ``PayloadFault/unknownType(_:)``.
    package static func description(of type: String) throws(PayloadFault) -> EventDescription {
        try entry(of: type).description
    }
}

/// The name and the payload with which an event is in the log.
package protocol EventBody: Sendable {
    var type: String { get }
    /// Writes the members of the payload.
    func write(fields writer: inout PayloadWriter)
}

/// The payload of one type of event.
protocol EventPayload: EventBody, Equatable {
    static var type: String { get }
    /// The members.
    static var shape: Shape<Self> { get }
}

extension EventPayload {
    package var type: String { Self.type }

    package func write(fields writer: inout PayloadWriter) {
        Self.shape.write(self, &writer)
    }
}

/// An event in the table of its stream: its description, and how it is read.
package struct EventEntry<Event: DomainEvent>: Sendable {
    package let description: EventDescription
    fileprivate let read: @Sendable (PayloadReader) throws(PayloadFault) -> Event

    /// Describes the event that is made of one type of payload.
    init<Payload: EventPayload>(
        _ event: @escaping @Sendable (Payload) -> Event, _ meaning: String, by command: String,
        _ effect: EventDescription.Effect = .knowledge, history historyKind: HistoryKind? = nil,
        status: (any Vocabulary)? = nil, isComplete: Bool = false, isEssential: Bool = true
    ) {
        description = EventDescription(
            type: Payload.type, meaning: meaning, decidedBy: command, effect: effect, historyKind: historyKind,
            status: status?.rawValue, isComplete: isComplete, isEssential: isEssential)
        read = { reader throws(PayloadFault) in event(try Payload.shape.read(reader)) }
    }
}

/// The description of an event type, without its payload: docs/event-flow.md and the read models' lists of events are
/// generated from it.
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

    package let type: String
    /// What happened, in one sentence.
    package let meaning: String
    /// The command that decides it.
    package let decidedBy: String
    /// Knowledge or restriction.
    package let effect: Effect
    /// The event's name in the history of a sighting; nil in streams that have no history to show.
    package let historyKind: HistoryKind?
    /// The status of the stream's subject after the event, even if the payload is redacted; nil leaves it unchanged.
    package let status: String?
    /// Whether the payload is a complete record of the stream's subject: what was redacted or withdrawn for privacy
    /// before it is then missing no longer.
    package let isComplete: Bool
    /// Whether the stream's subject counts as redacted when the payload is. Without the others, everything public about
    /// it is still known.
    package let isEssential: Bool
}

/// The names of the events in the history of a sighting.
package enum HistoryKind: String, Vocabulary {
    case submitted, imported, corrected
    case geoprivacyChanged = "geoprivacy-changed"
    case withdrawn, redacted
    case identified, approved, rejected, reopened, hidden, unhidden, released
    case secondOpinionAsked = "second-opinion-asked"
    case questionAsked = "question-asked"
    case answered, appealed, flagged
    case photosOrdered = "photos-ordered"
}
