package import Domain

/// Why an import as a whole failed; its summary lists the faults of single rows.
package enum ImportError: Error, Equatable, CustomStringConvertible {
    /// Another process is importing into this dataset.
    case alreadyRunning(DatasetID)
    /// No dataset knows this batch.
    case unknownBatch(BatchID)
    /// The file lacks required columns.
    case missingColumns(file: String, expected: String)
    /// The log rejects a change of a taxon.
    case unrecordable(TaxonID, reason: String)
    /// A reference file breaks its form.
    case malformed(file: String, line: Int, reason: String)

    /// A sentence for the person who runs the import.
    package var description: String {
        switch self {
        case .alreadyRunning: "another import into this dataset is running; wait for it, or stop it"
        case .unknownBatch(let batch): "there is no import with the id \(batch)"
        case .missingColumns(let file, let expected): "\(file) lacks columns: expected are \(expected)"
        case .unrecordable(let taxon, let reason): "taxon \(taxon) cannot be recorded: \(reason)"
        case .malformed(let file, let line, let reason): "\(file), line \(line): \(reason)"
        }
    }
}
