import Domain

/// Finds the parents of a checklist's rows, in the checklist itself or among the taxa in the log.
///
/// A parent has a higher rank than its child, in the log and in every accepted row, so there can be no cycle.
struct TaxonParents {
    /// Rows that may be appended, with their parents.
    private(set) var taken: [(row: TaxonRow, parent: TaxonID?)] = []
    /// Rows that may not.
    private(set) var problems: [ChecklistProblem] = []

    private enum Outcome {
        case taken
        case rejected
    }

    private var rows: [TaxonID: TaxonRow] = [:]
    private var outcomes: [TaxonID: Outcome] = [:]
    private var parents: [TaxonID: TaxonID] = [:]
    private let known: Set<TaxonID>

    /// - Parameter known: the rows' possible parents that are in the log.
    init(_ all: [TaxonRow], known: Set<TaxonID>) {
        self.known = known
        for row in all {
            if let first = rows[row.id] {
                problems.append(
                    ChecklistProblem(
                        line: row.line,
                        reason: "\(row.rank.rawValue) \(row.scientificName) is a duplicate of line \(first.line)"))
            } else {
                rows[row.id] = row
            }
        }
        let isFirst = Set(rows.values.map(\.line))
        for row in all where isFirst.contains(row.line) {
            if settle(row) { taken.append((row, parents[row.id])) }
        }
        problems.sort { $0.line < $1.line }
    }

    /// Each parent has a higher rank, so the recursion is no deeper than the number of ranks.
    private mutating func settle(_ row: TaxonRow) -> Bool {
        if let outcome = outcomes[row.id] { return outcome == .taken }
        let problem = problem(of: row)
        outcomes[row.id] = problem == nil ? .taken : .rejected
        if let problem { problems.append(ChecklistProblem(line: row.line, reason: problem)) }
        return problem == nil
    }

    private mutating func problem(of row: TaxonRow) -> String? {
        guard let parent = row.parent else { return nil }
        let candidates = row.parentCandidates
        for id in candidates {
            guard let other = rows[id] else { continue }
            guard settle(other) else { return "its parent \(parent.scientificName) was not understood" }
            parents[row.id] = id
            return nil
        }
        if let id = candidates.first(where: known.contains) {
            parents[row.id] = id
            return nil
        }
        if parent.isOptional { return nil }
        let isLower = rows.values.contains { $0.scientificName.text == parent.scientificName && $0.rank >= row.rank }
        return isLower
            ? "its parent \(parent.scientificName) has no higher rank than itself"
            : "its parent \(parent.scientificName) is neither in the file nor known"
    }
}
