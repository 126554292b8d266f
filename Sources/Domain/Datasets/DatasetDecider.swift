/// Decides commands of datasets and their imports. Every command is idempotent: repeating it changes nothing.
package enum DatasetDecider: Decider {
    /// - Throws: ``DatasetRejection``.
    package static func decide(
        _ command: DatasetCommand, _ state: DatasetState
    ) throws(DatasetRejection) -> Decision<DatasetEvent> {
        switch command {
        case .register(let registration): return register(registration, state)
        case .describe(let description): return try describe(description, state)
        case .startImport(let start): return try startImport(start, state)
        case .finishImport(let finish): return try finishImport(finish, state)
        case .undoImport(let undo): return try undoImport(undo, state)
        }
    }

    private static func register(_ command: RegisterDataset, _ state: DatasetState) -> Decision<DatasetEvent> {
        guard !state.exists else { return .nothing }
        let texts: [(ContentField, String?)] = [
            (.title, command.title.text), (.publisher, command.publisher?.text),
            (.citation, command.citation?.text), (.rightsHolder, command.rightsHolder?.text),
        ]
        return Decision(
            events: [.registered(DatasetRegistered(licence: command.licence, republish: command.republish))],
            content: texts.compactMap { field, text in
                text.map { ContentWrite(event: 0, field: field, value: $0) }
            },
            reservations: [Reservation(kind: .dataset, text: command.title.text)])
    }

    private static func describe(
        _ command: DescribeDataset, _ state: DatasetState
    ) throws(DatasetRejection) -> Decision<DatasetEvent> {
        guard state.exists else { throw .notFound }
        let changes: [(ContentField, Change<String>)] = [
            (.title, Change(initial: command.title?.text)), (.publisher, command.publisher.map { $0.text }),
            (.citation, command.citation.map { $0.text }), (.rightsHolder, command.rightsHolder.map { $0.text }),
        ]
        let content = changes.compactMap { field, change -> ContentWrite? in
            let change = change.real(against: command.kept[field])
            return change.isUnset ? nil : ContentWrite(event: 0, field: field, value: change.value)
        }
        guard !content.isEmpty else { return .nothing }
        // The former title stays reserved, so that imports that name it find this dataset.
        let titles = content.filter { $0.field == .title }.compactMap(\.value)
        return Decision(
            events: [.described(DatasetDescribed(content: content.map(\.field)))], content: content,
            reservations: titles.map { Reservation(kind: .dataset, text: $0) })
    }

    private static func startImport(
        _ command: StartImport, _ state: DatasetState
    ) throws(DatasetRejection) -> Decision<DatasetEvent> {
        guard state.exists else { throw .notFound }
        switch state.imports[command.batch] {
        case .started, .finished: return .nothing
        case .undone: throw .batchUndone(command.batch)
        case nil:
            return Decision(
                events: [.importStarted(ImportStarted(batch: command.batch, file: command.file))],
                content: [ContentWrite(event: 0, field: .fileName, value: command.fileName.text)])
        }
    }

    private static func finishImport(
        _ command: ImportFinished, _ state: DatasetState
    ) throws(DatasetRejection) -> Decision<DatasetEvent> {
        switch state.imports[command.batch] {
        case .started: return Decision(events: [.importFinished(command)])
        case .finished(command): return .nothing
        case .finished: throw .alreadyFinished(command.batch)
        case .undone: throw .batchUndone(command.batch)
        case nil: throw state.exists ? .unknownBatch(command.batch) : .notFound
        }
    }

    private static func undoImport(
        _ command: ImportUndone, _ state: DatasetState
    ) throws(DatasetRejection) -> Decision<DatasetEvent> {
        switch state.imports[command.batch] {
        case .started, .finished: return Decision(events: [.importUndone(command)])
        case .undone(command): return .nothing
        // A repeated undo restored more records, because their obstacles are gone.
        case .undone: return Decision(events: [.importUndone(command)])
        case nil: throw state.exists ? .unknownBatch(command.batch) : .notFound
        }
    }
}
