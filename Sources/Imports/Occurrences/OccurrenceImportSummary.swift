package import Domain

/// The outcome of an import.
package struct OccurrenceImportSummary: Sendable, Equatable {
    package let dataset: DatasetID
    /// This import, by which it can be undone.
    package let batch: BatchID
    /// Whether nothing was recorded and the numbers only say what would have been.
    package let isDryRun: Bool
    /// Rows that became records, or brought one back.
    package internal(set) var accepted = 0
    /// Rows that were already known and have not changed.
    package internal(set) var known = 0
    /// Those of them whose records got another visit, or lost theirs.
    package internal(set) var revisited = 0
    /// Rows without a visit, although the import names the columns of visits.
    package internal(set) var withoutVisit = 0
    /// Rows that changed a record.
    package internal(set) var corrected = 0
    /// Records withdrawn because their rows have vanished.
    package internal(set) var withdrawn = 0
    /// Rejected rows, by the code of the reason.
    package internal(set) var rejected: [String: Int] = [:]
    /// Accepted and corrected rows whose name fits no taxon.
    package internal(set) var withoutTaxon = 0
    /// The rejected rows that could not be read at all.
    var unreadable = 0
    /// Notes for the operator.
    package internal(set) var warnings: [String] = []
    /// The file of rejected rows; nil if there are none.
    package internal(set) var rejectedRows: String?
    /// How long it took.
    package internal(set) var elapsed: Duration = .zero

    /// All rows of the file.
    package var rows: Int { accepted + known + corrected + rejectedTotal }

    /// Rows rejected for any reason.
    package var rejectedTotal: Int { rejected.values.reduce(0, +) }

    /// Whether the file has rows, and every one was rejected.
    package var isRejected: Bool { rows > 0 && rejectedTotal == rows }

    /// The event that ends the import.
    var finished: ImportFinished {
        ImportFinished(
            batch: batch, accepted: accepted, known: known, corrected: corrected, withdrawn: withdrawn,
            rejected: rejectedTotal)
    }

    mutating func add(_ tally: ImportTally) {
        accepted += tally.accepted
        known += tally.known
        revisited += tally.revisited
        withoutVisit += tally.withoutVisit
        corrected += tally.corrected
        withdrawn += tally.withdrawn
        withoutTaxon += tally.withoutTaxon
    }
}

extension OccurrenceImportSummary: CustomStringConvertible {
    /// A table for people.
    package var description: String {
        var lines = [isDryRun ? "Dry run: nothing was recorded." : "Import \(batch)"]
        func line(_ label: String, _ number: Int) {
            let figure = RuleViolation.grouped(number)
            let gap = String(repeating: " ", count: max(1, 46 - label.count - figure.count))
            lines.append("  " + label + gap + figure)
        }
        line("rows", rows)
        line("accepted", accepted)
        if withoutTaxon > 0 { line("  of accepted and corrected, without a taxon", withoutTaxon) }
        line("already known", known)
        if revisited > 0 { line("  of these, whose visit was noted", revisited) }
        line("corrected", corrected)
        if withdrawn > 0 { line("withdrawn, no longer in the file", withdrawn) }
        if withoutVisit > 0 { line("without a visit: a column of --visit is empty", withoutVisit) }
        line("rejected", rejectedTotal)
        for (reason, count) in rejected.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            line("  \(reason)", count)
        }
        if let rejectedRows { lines.append("Rejected rows are in \(rejectedRows)") }
        return (lines + warnings.map { "Note: \($0)" }).joined(separator: "\n")
    }
}

/// The outcomes of some rows.
struct ImportTally: Sendable, Equatable {
    var accepted = 0
    var known = 0
    var revisited = 0
    var withoutVisit = 0
    var corrected = 0
    var withdrawn = 0
    var withoutTaxon = 0
}
