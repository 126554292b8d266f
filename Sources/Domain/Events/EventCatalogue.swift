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
