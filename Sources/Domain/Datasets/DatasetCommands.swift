/// What may be asked of a dataset.
package enum DatasetCommand: Equatable, Sendable {
    case register(RegisterDataset)
    case startImport(StartImport)
    case finishImport(ImportFinished)
    case undoImport(ImportUndone)
}

/// Makes a dataset known. Where it is known already nothing happens.
package struct RegisterDataset: Equatable, Sendable {
    /// Its title, by which it is found again.
    package var title: DatasetTitle
    /// Who publishes it.
    package var publisher: CreditLine?
    /// How it wants to be cited.
    package var citation: CreditLine?
    /// Who holds its rights.
    package var rightsHolder: CreditLine?
    /// The licence of records that name none.
    package var licence: Licence?
    /// Whether its records may be passed on to others.
    package var republish: Republishing

    /// Puts a dataset together.
    package init(
        title: DatasetTitle, publisher: CreditLine? = nil, citation: CreditLine? = nil,
        rightsHolder: CreditLine? = nil, licence: Licence? = nil, republish: Republishing = .no
    ) {
        self.title = title
        self.publisher = publisher
        self.citation = citation
        self.rightsHolder = rightsHolder
        self.licence = licence
        self.republish = republish
    }
}

/// Begins to read a file into a dataset.
package struct StartImport: Equatable, Sendable {
    /// The import's own id.
    package var batch: BatchID
    /// The SHA-256 of the file.
    package var file: Fingerprint
    /// The file's name.
    package var fileName: FileName

    /// Puts the start of an import together.
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

/// Why a dataset command may be refused.
package enum DatasetRejection: Error, Equatable, Sendable {
    /// There is no such dataset.
    case notFound
    /// The dataset has no such import.
    case unknownBatch(BatchID)
    /// The import was undone; its rows can only come in with another one.
    case batchUndone(BatchID)
    /// The import's totals were told before and were others.
    case alreadyFinished(BatchID)
}
