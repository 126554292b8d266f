import Bytes
import Domain
import EventLog
import Exchange
import FoundationEssentials
import Service

/// Imports a list of sensitive taxa: `skein import sensitivity`. It replaces the previous list: a taxon
/// that is no longer on it loses its own category.
package struct SensitivityImport: Sendable {
    /// The outcome of a list import.
    package struct Summary: Sendable, Equatable, CustomStringConvertible {
        /// Taxa whose category, reason or source changed.
        package internal(set) var set = 0
        /// Taxa that already were as the list has them.
        package internal(set) var known = 0
        /// Taxa that are no longer on the list.
        package internal(set) var cleared = 0
        /// Lines that were not understood.
        package internal(set) var problems: [ChecklistProblem] = []

        /// A table for people.
        package var description: String {
            let figures = [
                "taxa set            \(set)", "taxa already known  \(known)", "taxa cleared        \(cleared)",
            ]
            let last = "not understood      \(problems.count)"
            return (figures + [last] + problems.map { "  \($0)" }).joined(separator: "\n")
        }
    }

    private let log: ImportLog

    package init(log: ImportLog) {
        self.log = log
    }

    /// Imports a table with the columns scientificName, category (1 to 4), reason, source and, optionally,
    /// everydayNames. Without this column, taxa keep the everyday names that they have.
    /// - Throws: ``ImportError``, `TableFault`; what reading throws; `PostgresError`, `AppendError`,
    ///   `CancellationError`.
    package func run(_ file: String, existing: ExistingValues = .overwritten) async throws -> Summary {
        let table = try TableFile(file, columns: ["scientificName", "category", "reason", "source"])
        let states = try await LoggedTaxa(log.pool).states()
        let names = TaxonNames(states.compactMap { id, state in state.taxon.map { TaxonEntry(id, $0) } })
        let isNaming = table.columns.contains(Self.everydayNames)
        let known = Dictionary(uniqueKeysWithValues: states.map { ($0, $1.taxon?.sensitivity.everydayNames ?? []) })
        var summary = Summary()
        var entries: [TaxonID: TaxonSensitivitySet] = [:]
        try table.forEach { rejection in
            summary.problems.append(ChecklistProblem(line: rejection.line, reason: rejection.fault.description))
        } _: { row in
            do {
                let taxon = try Self.taxon(row, names)
                var entry = try Self.sensitivity(row)
                if !isNaming { entry.everydayNames = known[taxon] ?? [] }
                if entries.updateValue(entry, forKey: taxon) != nil {
                    throw ChecklistProblem(line: row.line, reason: "duplicate of an earlier line")
                }
            } catch let problem as ChecklistProblem {
                summary.problems.append(problem)
            }
        }
        switch existing {
        case .overwritten:
            for (id, state) in states where entries[id] == nil && state.taxon?.sensitivity.category != nil {
                entries[id] = TaxonSensitivitySet(category: nil)
            }
        case .kept:
            for (id, state) in states {
                guard let taxon = state.taxon, taxon.isSensitivityDecided, let entry = entries[id] else { continue }
                entries[id] = Self.isFilledIn(taxon.sensitivity, by: entry) ? entry : nil
            }
        }
        try await record(entries, &summary)
        return summary
    }

    /// The whole name must match: a partial match would make a taxon sensitive that the list does not mean.
    private static func taxon(_ row: TableFile.Row, _ names: TaxonNames) throws -> TaxonID {
        let name = row["scientificName"]
        guard case .match(let match) = names.resolve(name, as: .scientific), match.isWhole, match.qualifier == nil
        else {
            throw ChecklistProblem(line: row.line, reason: "\"\(name)\" is not the name of a taxon")
        }
        return match.taxon
    }

    private static let everydayNames = "everydayNames"

    /// Whether the entry only adds everyday names to a category that was decided without any.
    private static func isFilledIn(_ known: TaxonSensitivitySet, by entry: TaxonSensitivitySet) -> Bool {
        var filled = known
        filled.everydayNames = entry.everydayNames
        return known.everydayNames.isEmpty && filled == entry
    }

    private static func sensitivity(_ row: TableFile.Row) throws -> TaxonSensitivitySet {
        var faults = Faults()
        let category = faults.check("category") { try SensitivityCategory(category: row.wholeNumber("category") ?? 0) }
        let reason = faults.check("reason", if: row["reason"].nonEmpty) { try PublishedText($0) }
        let source = faults.check("source", if: row["source"].nonEmpty) { try PublishedText($0) }
        let names = row[Self.everydayNames].split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
        let everydayNames = names.compactMap { name in
            faults.check("everydayNames") { try PublishedText(name) }
        }
        guard faults.isEmpty else {
            let reasons = faults.all.map { "\($0.pointer) \($0.message)" }
            throw ChecklistProblem(line: row.line, reason: reasons.joined(separator: "; "))
        }
        return TaxonSensitivitySet(category: category, reason: reason, source: source, everydayNames: everydayNames)
    }

    private func record(_ entries: [TaxonID: TaxonSensitivitySet], _ summary: inout Summary) async throws {
        let found = try await log.lookup.states(of: entries.keys.map(\.uuid), as: TaxonState.self)
        try await withThrowingTaskGroup(of: (TaxonSensitivitySet, Bool).self) { group in
            for (id, entry) in entries {
                group.addTask { (entry, try await record(entry, id, found[id.uuid] ?? FoundStream())) }
            }
            for try await (entry, isNew) in group {
                if !isNew {
                    summary.known += 1
                } else if entry.category == nil {
                    summary.cleared += 1
                } else {
                    summary.set += 1
                }
            }
        }
    }

    /// False if the taxon already is.
    private func record(
        _ entry: TaxonSensitivitySet, _ id: TaxonID, _ found: FoundStream<TaxonState>
    ) async throws -> Bool {
        var found = found
        while true {
            let decision = try TaxonDecider.decide(.setSensitivity(entry), found.state)
            if decision.isEmpty { return false }
            let outcome = try await log.append(
                decision, to: id.uuid, at: found.version, named: "SetTaxonSensitivity")
            switch outcome {
            case .appended: return true
            case .rejected(let reason): throw ImportError.unrecordable(id, reason: reason)
            case .conflict: found = try await log.lookup.states(of: [id.uuid])[id.uuid] ?? FoundStream()
            }
        }
    }
}
