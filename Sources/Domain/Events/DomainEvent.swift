/// The kinds of streams.
package enum StreamKind: String, Vocabulary {
    case account, dataset, sighting, taxon
}

/// The events of one kind of stream. Events are facts and never change shape; new optional members may be added.
package protocol DomainEvent: Equatable, Sendable {
    /// The kind of stream that holds them.
    static var stream: StreamKind { get }
    /// The descriptions of the events, in the order of a stream's life.
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
    static var type: String { get }
    func write(fields writer: inout PayloadWriter)
    init(_ reader: PayloadReader) throws(PayloadFault)
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
    /// The sighting's status after the event, even if the payload is redacted; nil leaves it unchanged.
    package let status: SightingStatus?
    /// Whether the payload is a complete record of the stream's subject, so that nothing redacted or withdrawn for
    /// privacy before it is missing any longer.
    package let isComplete: Bool

    init(
        _ type: String, _ meaning: String, by command: String, _ effect: Effect = .knowledge,
        history historyKind: HistoryKind? = nil, status: SightingStatus? = nil, isComplete: Bool = false
    ) {
        self.type = type
        self.meaning = meaning
        self.decidedBy = command
        self.effect = effect
        self.historyKind = historyKind
        self.status = status
        self.isComplete = isComplete
    }
}

/// The names of the events in the history of a sighting.
package enum HistoryKind: String, Vocabulary {
    case submitted, imported, corrected
    case geoprivacyChanged = "geoprivacy-changed"
    case withdrawn, redacted
}

extension DomainEvent {
    /// The description of one of the stream's events.
    /// - Throws: ``PayloadFault/unknownType(_:)``.
    package static func description(of type: String) throws(PayloadFault) -> EventDescription {
        guard let description = table.first(where: { $0.type == type }) else { throw .unknownType(type) }
        return description
    }
}

/// Every event that the log can hold, by the kind of stream that holds it.
package enum EventCatalogue {
    /// The events of one kind of stream.
    package struct Chapter: Hashable, Sendable {
        /// The kind of stream.
        package let stream: StreamKind
        /// Its events, in the order of a stream's life.
        package let events: [EventDescription]
    }

    /// All events, the streams in the order of their names.
    package static let chapters = [
        Chapter(stream: AccountEvent.stream, events: AccountEvent.table),
        Chapter(stream: DatasetEvent.stream, events: DatasetEvent.table),
        Chapter(stream: SightingEvent.stream, events: SightingEvent.table),
        Chapter(stream: TaxonEvent.stream, events: TaxonEvent.table),
    ]
}
