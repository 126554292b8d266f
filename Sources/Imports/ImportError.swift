package import Domain

/// Why an import as a whole failed; its summary lists the faults of single rows.
package enum ImportError: Error, Equatable, CustomStringConvertible {
    /// Another process is importing into this dataset.
    case alreadyRunning(DatasetID)
    /// No dataset knows this batch.
    case unknownBatch(BatchID)
    /// No dataset has this id, or this title now or earlier.
    case unknownDataset
    /// Another dataset has this title, or had it earlier.
    case titleTaken
    /// The log rejects a change of a taxon.
    case unrecordable(TaxonID, reason: String)
    /// `--replace` would withdraw much of the dataset, or the file has no rows; nothing was changed.
    case needsConsent(Replacement)
    /// The file has changed since the import began; `batch` is nil if nothing was recorded yet.
    case fileChanged(file: String, batch: BatchID?)

    /// A sentence for the person who runs the import.
    package var description: String {
        switch self {
        case .alreadyRunning: "another import into this dataset is running; wait for it, or stop it"
        case .unknownBatch(let batch): "there is no import with the id \(batch)"
        case .unknownDataset: "no dataset has this id, or this title now or earlier"
        case .titleTaken: "another dataset has this title, or had it earlier"
        case .unrecordable(let taxon, let reason): "taxon \(taxon) cannot be recorded: \(reason)"
        case .needsConsent(let replacement):
            "\(replacement); nothing was changed. Check the file, and use --yes if that is what you want"
        case .fileChanged(let file, nil): "\(file) changed while it was read; nothing was recorded"
        case .fileChanged(let file, let batch?):
            "\(file) changed while it was read; the rows recorded so far belong to import \(batch). Import the "
                + "finished file, or undo the import with: skein import undo \(batch)"
        }
    }
}

/// How many records of a dataset a replacement would withdraw.
package struct Replacement: Hashable, Sendable, CustomStringConvertible {
    /// Records of the dataset before the import.
    package let records: Int
    /// Those without a row in the file.
    package let withdrawn: Int
    /// Rows of the file.
    package let rows: Int

    /// Whether it may be a mistake: more than a tenth of the records would go, or the file has no rows.
    package var needsConsent: Bool { rows == 0 || withdrawn * 10 > records }

    /// A clause for the person who runs the import.
    package var description: String {
        let (gone, all) = (RuleViolation.grouped(withdrawn), RuleViolation.grouped(records))
        let cause = rows == 0 ? "the file has no rows, and " : ""
        let share = rows == 0 ? "" : ", more than a tenth"
        return "\(cause)--replace would withdraw \(gone) of the \(all) records of the dataset\(share)"
    }
}
