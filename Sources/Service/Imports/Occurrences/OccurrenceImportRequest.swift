package import Domain
package import Exchange

/// What an operator asks for: a file, the dataset it belongs to, and how to read it.
package struct OccurrenceImportRequest: Sendable {
    /// A file or folder: delimited text, plain or gzip, or a Darwin Core archive.
    package var file: String
    /// The dataset, found again by its title.
    package var dataset: DatasetTitle
    /// Who publishes a new dataset; nil: what an archive says of itself.
    package var publisher: CreditLine?
    /// The licence of a new dataset's records that name none; nil: what an archive says of itself.
    package var licence: Licence?
    /// How a new dataset wants to be cited; nil: what an archive says of itself.
    package var citation: CreditLine?
    /// Who holds a new dataset's rights.
    package var rightsHolder: CreditLine?
    /// Whether a new dataset's records may be passed on to others; nil: no.
    package var republish: Republishing?
    /// Which columns stand for which terms, where the headings do not say so.
    package var columns = ColumnMapping.none
    /// Whether records whose rows are not in the file are withdrawn.
    package var replace = false
    /// Whether everything is done but the recording.
    package var dryRun = false
    /// Where refused rows go; nil: beside the file, with `.refused.csv` after its name.
    package var refusedRows: String?

    /// Puts the required parts together; the others are set afterwards.
    package init(file: String, dataset: DatasetTitle) {
        self.file = file
        self.dataset = dataset
    }

    var refusedRowsPath: String {
        refusedRows ?? (file.hasSuffix("/") ? String(file.dropLast()) : file) + ".refused.csv"
    }
}
