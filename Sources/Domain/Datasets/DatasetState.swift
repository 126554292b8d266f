/// The state of a dataset, from its events.
package struct DatasetState: Aggregate {
    /// The progress of an import.
    package enum Progress: Equatable, Sendable {
        case started
        case finished(ImportFinished)
        case undone(ImportUndone)
    }

    /// Whether the dataset is registered.
    package private(set) var exists = false
    /// The registration; nil also if it was redacted.
    package private(set) var registration: DatasetRegistered?
    package private(set) var imports: [BatchID: Progress] = [:]

    package init() {}

    package mutating func evolve(_ event: DatasetEvent) {
        switch event {
        case .registered(let payload):
            exists = true
            registration = payload
        case .importStarted(let payload):
            imports[payload.batch] = .started
        case .importFinished(let payload):
            imports[payload.batch] = .finished(payload)
        case .importUndone(let payload):
            imports[payload.batch] = .undone(payload)
        case .described, .payloadRedacted:
            break
        case .redacted:
            exists = true
        }
    }
}
