/// The commands of a dataset.
package enum DatasetCommand: Equatable, Sendable {
    case register(RegisterDataset)
    case describe(DescribeDataset)
    case startImport(StartImport)
    case finishImport(ImportFinished)
    case undoImport(ImportUndone)
}

/// Registers a dataset. If it is registered already, nothing happens.
package struct RegisterDataset: Equatable, Sendable {
    /// The title, which identifies it.
    package var title: DatasetTitle
    package var publisher: CreditLine?
    /// The citation that its publisher asks for.
    package var citation: CreditLine?
    package var rightsHolder: CreditLine?
    /// The licence of records that name none.
    package var licence: Licence?
    /// Whether its records may be passed on to others.
    package var republish = Republishing.no

    package init(title: DatasetTitle) {
        self.title = title
    }
}

/// Changes the title and the credits of a dataset. Its licence and terms cannot change: others may have records under
/// them.
package struct DescribeDataset: Equatable, Sendable {
    /// The fields that the command can change.
    package static let fields: [ContentField] = [.title, .publisher, .citation, .rightsHolder]

    /// The new title; nil: unchanged.
    package var title: DatasetTitle?
    package var publisher: Change<CreditLine> = .unset
    package var citation: Change<CreditLine> = .unset
    package var rightsHolder: Change<CreditLine> = .unset
    /// The present texts of ``fields``.
    package var kept: [ContentField: String] = [:]

    package init() {}
}

/// Starts the import of a file into a dataset.
package struct StartImport: Equatable, Sendable {
    /// The id of the import.
    package var batch: BatchID
    /// The SHA-256 of the file.
    package var file: Fingerprint
    package var fileName: FileName

    package init(batch: BatchID, file: Fingerprint, fileName: FileName) {
        self.batch = batch
        self.file = file
        self.fileName = fileName
    }
}

/// Whether the records of a dataset may be passed on to others.
package enum Republishing: String, Vocabulary {
    /// Only where it is asked for by name.
    case no
    case yes
}

/// Why a dataset command is rejected.
package enum DatasetRejection: Error, Equatable, Sendable {
    /// There is no such dataset.
    case notFound
    /// The dataset has no such import.
    case unknownBatch(BatchID)
    /// The import was undone; importing its rows again needs a new import.
    case batchUndone(BatchID)
    /// The import was finished before, with other totals.
    case alreadyFinished(BatchID)
}
