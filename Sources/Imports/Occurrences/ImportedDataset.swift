import Domain
import EventLog
import Exchange
import FoundationEssentials
import Service
import Vault

/// A dataset and the imports into it, in the log.
struct ImportedDataset: Sendable {
    let log: ImportLog
    let id: DatasetID

    /// The dataset that has a title, or had it earlier; nil if none ever had it.
    static func known(by title: DatasetTitle, in log: ImportLog) async throws -> ImportedDataset? {
        let title = Reservation(kind: .dataset, text: title.text)
        let holder = try await Reservations(database: log.pool).holder(of: title)
        return holder.map { ImportedDataset(log: log, id: DatasetID($0)) }
    }

    /// The dataset that an import into a title goes into. The id of a new one derives from the title, so two concurrent
    /// first imports create one dataset.
    static func called(_ title: DatasetTitle, in log: ImportLog) async throws -> ImportedDataset {
        let new = ImportedDataset(log: log, id: DatasetID(log.signer.id(of: "dataset", title.text)))
        return try await known(by: title, in: log) ?? new
    }

    /// Its title and credits as of a position.
    func texts(asOf position: Int64 = .max) async throws -> [ContentField: String] {
        let contents = try await ContentStore(database: log.pool).content(
            of: [id.uuid], fields: DescribeDataset.fields, asOf: position)
        return contents[id.uuid]?.versions.compactMapValues(\.value) ?? [:]
    }

    func state() async throws -> DatasetState {
        let stored: Stored<DatasetState>? = try await log.store.load(id.uuid)
        return stored?.state ?? DatasetState()
    }

    /// Registers the dataset unless it exists.
    /// - Throws: ``ImportError/titleTaken``, ``CommandError``.
    func register(_ registration: RegisterDataset) async throws {
        guard try await !state().exists else { return }
        let identity = log.identity("RegisterDataset", about: [id.description])
        do {
            let _: Outcome<DatasetState> = try await log.store.begin(id.uuid, identity) {
                try DatasetDecider.decide(.register(registration), DatasetState())
            }
        } catch CommandError.stale {
            // Another process registered it first.
        } catch CommandError.rejected(.reserved) {
            // Another dataset got the title since it was looked up.
            throw ImportError.titleTaken
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
