import Domain
import EventLog
import Exchange
import FoundationEssentials
import Service

/// A dataset and the imports into it, in the log.
struct ImportedDataset: Sendable {
    let log: ImportLog
    let id: DatasetID

    /// The dataset with a title. Its id derives from the title, so two concurrent first imports create one dataset.
    init(log: ImportLog, title: DatasetTitle) {
        self.log = log
        id = DatasetID(log.signer.id(of: "dataset", title.text))
    }

    init(log: ImportLog, id: DatasetID) {
        self.log = log
        self.id = id
    }

    func state() async throws -> DatasetState {
        let stored: Stored<DatasetState>? = try await log.store.load(id.uuid)
        return stored?.state ?? DatasetState()
    }

    /// Registers the dataset unless it exists.
    /// - Throws: ``CommandError``.
    func register(_ registration: RegisterDataset) async throws {
        guard try await !state().exists else { return }
        let identity = log.identity("RegisterDataset", about: [id.description])
        do {
            let _: Outcome<DatasetState> = try await log.store.begin(id.uuid, identity) {
                try DatasetDecider.decide(.register(registration), DatasetState())
            }
        } catch CommandError.stale {
            // Another process registered it first.
        }
    }

    /// The import of a file: a new one, or an unfinished one to resume.
    func batch(of file: Fingerprint, in state: DatasetState) -> BatchID {
        var number = 1
        while true {
            let batch = BatchID(log.signer.id(of: "import", id.description, file.text, String(number)))
            if state.imports[batch] == nil || state.imports[batch] == .started { return batch }
            number += 1
        }
    }

    func start(_ batch: BatchID, _ file: Fingerprint, fileName: FileName) async throws {
        try await change("StartImport", batch, .startImport(StartImport(batch: batch, file: file, fileName: fileName)))
    }

    func finish(_ totals: ImportFinished) async throws {
        try await change("FinishImport", totals.batch, .finishImport(totals))
    }

    /// Records that an import is undone. A repeated undo that restored more records has other totals.
    func undo(_ totals: ImportUndone) async throws {
        let numbers = [totals.withdrawn, totals.setBack ?? 0, totals.broughtBack ?? 0, totals.left ?? 0]
        try await change("UndoImport", totals.batch, .undoImport(totals), about: numbers)
    }

    private func change(
        _ name: String, _ batch: BatchID, _ command: DatasetCommand, about numbers: [Int] = []
    ) async throws {
        let identity = log.identity(name, about: [id.description, batch.description] + numbers.map(String.init))
        let _: Outcome<DatasetState> = try await log.store.change(id.uuid, ifVersions: nil, identity) { stored in
            try DatasetDecider.decide(command, stored.state)
        }
    }
}

extension RegisterDataset {
    /// The operator's options take precedence over the archive's metadata.
    init(_ request: OccurrenceImportRequest, _ metadata: DatasetMetadata?) {
        self.init(title: request.dataset)
        publisher = request.publisher ?? Self.line(metadata?.publisher)
        citation = request.citation ?? Self.line(metadata?.citation)
        rightsHolder = request.rightsHolder
        licence = request.licence ?? metadata?.licence.flatMap(Licence.init(recognising:))
        if let given = request.republish { republish = given }
    }

    private static func line(_ text: String?) -> CreditLine? {
        text.flatMap { try? CreditLine($0) }
    }
}
