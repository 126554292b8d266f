/// Every event that the log can hold, by the kind of stream that holds it.
package enum EventCatalogue {
    /// The events of one kind of stream.
    package struct Chapter: Hashable, Sendable {
        /// The kind of stream.
        package let stream: StreamKind
        /// Its events, in the order of a stream's life.
        package let events: [EventDescription]

        fileprivate init<Event: DomainEvent>(_: Event.Type) {
            stream = Event.stream
            events = Event.table.map(\.description)
        }
    }

    /// All events, the streams in the order of their names.
    package static let chapters = [
        Chapter(AccountEvent.self), Chapter(DatasetEvent.self), Chapter(ExportEvent.self), Chapter(PhotoEvent.self),
        Chapter(SightingEvent.self), Chapter(TargetsEvent.self), Chapter(TaxonEvent.self),
    ]
}
