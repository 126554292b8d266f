package import Domain
package import Exchange

/// An operator's request: a file, its dataset, and how to read it.
package struct OccurrenceImportRequest: Sendable {
    /// A file or folder: delimited text, plain or gzip, or a Darwin Core archive.
    package var file: String
    /// The title, which identifies the dataset.
    package var dataset: DatasetTitle
    /// The publisher of a new dataset; nil: from the archive's metadata.
    package var publisher: CreditLine?
    /// The licence of a new dataset's records that name none; nil: from the archive's metadata.
    package var licence: Licence?
    /// The citation of a new dataset; nil: from the archive's metadata.
    package var citation: CreditLine?
    /// The rights holder of a new dataset.
    package var rightsHolder: CreditLine?
    /// Whether a new dataset's records may be passed on to others; nil: no.
    package var republish: Republishing?
    /// The terms of columns whose headings do not name them.
    package var columns = ColumnMapping.none
    /// Whether records whose rows are not in the file are withdrawn.
    package var replace = false
    /// Whether to do everything except record.
    package var dryRun = false
    /// The file for rejected rows; nil: next to the imported file, with `.refused.csv` after its name.
    package var refusedRows: String?

    package init(file: String, dataset: DatasetTitle) {
        self.file = file
        self.dataset = dataset
    }

    var refusedRowsPath: String {
        refusedRows ?? (file.hasSuffix("/") ? String(file.dropLast()) : file) + ".refused.csv"
    }
}
