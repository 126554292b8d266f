/// What a dataset's events add up to.
package struct DatasetState: Aggregate {
    /// How far an import has come.
    package enum Progress: Equatable, Sendable {
        case started
        case finished(ImportFinished)
        case undone
    }

    /// Whether the dataset is known.
    package private(set) var exists = false
    /// What it was registered with; nil also when that was redacted.
    package private(set) var registration: DatasetRegistered?
    /// Its imports.
    package private(set) var imports: [BatchID: Progress] = [:]

    /// No dataset.
    package init() {}

    /// The dataset after one more event.
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
            imports[payload.batch] = .undone
        case .payloadRedacted:
            break
        case .redacted:
            exists = true
        }
    }
}
