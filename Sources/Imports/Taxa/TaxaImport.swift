package import Domain
import EventLog
import Exchange
import FoundationEssentials
package import Postgres

/// Imports a checklist: `skein import taxa`. Only new or different values become events.
///
/// An empty field or a missing row changes nothing.
package struct TaxaImport: Sendable {
    /// The outcome of a checklist import.
    package struct Summary: Sendable, Equatable {
        /// Taxa that were new.
        package internal(set) var added = 0
        /// Taxa that changed.
        package internal(set) var changed = 0
        /// Taxa that already were as the checklist has them.
        package internal(set) var known = 0
        /// Lines that were not understood.
        package internal(set) var problems: [ChecklistProblem] = []
        /// Synonyms left out because they are accepted names of other taxa in the same file.
        package internal(set) var acceptedSynonyms = 0
    }

    private static let taxaAtOnce = 500

    private let log: ImportLog

    package init(log: ImportLog) {
        self.log = log
    }

    /// Imports a checklist; running it again, also after it was stopped, only adds what is missing.
    /// - Parameter file: Skein's own table or AviList's, plain or gzip.
    /// - Throws: ``ImportError``, `TableFault`; what reading throws; `PostgresError`, `AppendError`,
    ///   `CancellationError`.
    package func run(
        _ file: String, existing: ExistingValues = .overwritten, progress: @escaping ImportProgressHandler = { _ in }
    ) async throws -> Summary {
        let checklist = try TaxonChecklist(file)
        var summary = Summary()
        let parents = TaxonParents(checklist.rows, known: try await knownParents(of: checklist.rows))
        summary.problems = (checklist.problems + parents.problems).sorted { $0.line < $1.line }
        let accepted = Set(checklist.rows.map(\.scientificName))
        var meter = ProgressMeter(.recording, progress)
        for start in stride(from: 0, to: parents.taken.count, by: Self.taxaAtOnce) {
            let part = parents.taken[start..<min(start + Self.taxaAtOnce, parents.taken.count)].map { row, parent in
                ChecklistEntry(row, parent: parent, accepted: accepted, existing, &summary.acceptedSynonyms)
            }
            try await record(part, &summary)
            meter.add(rows: part.count, done: .init(consumed: start + part.count, total: parents.taken.count))
        }
        meter.finish()
        return summary
    }

    private func knownParents(of rows: [TaxonRow]) async throws -> Set<TaxonID> {
        let own = Set(rows.map(\.id))
        let wanted = Set(rows.flatMap(\.parentCandidates)).subtracting(own).map(\.uuid)
        var known: Set<TaxonID> = []
        for start in stride(from: 0, to: wanted.count, by: Self.taxaAtOnce) {
            let part = Array(wanted[start..<min(start + Self.taxaAtOnce, wanted.count)])
            let found = try await log.lookup.states(of: part, as: TaxonState.self)
            known.formUnion(found.keys.map { TaxonID($0) })
        }
        return known
    }

    private enum Verdict {
        case added, changed, known
    }

    private func record(_ entries: [ChecklistEntry], _ summary: inout Summary) async throws {
        let found = try await log.lookup.states(of: entries.map(\.id.uuid), as: TaxonState.self)
        try await withThrowingTaskGroup(of: (ChecklistEntry, Result<Verdict, ChecklistProblem>).self) { group in
            for entry in entries {
                group.addTask { (entry, try await record(entry, found[entry.id.uuid] ?? FoundStream())) }
            }
            for try await (_, verdict) in group {
                switch verdict {
                case .success(.added): summary.added += 1
                case .success(.changed): summary.changed += 1
                case .success(.known): summary.known += 1
                case .failure(let problem): summary.problems.append(problem)
                }
            }
        }
    }

    private func record(
        _ entry: ChecklistEntry, _ found: FoundStream<TaxonState>
    ) async throws -> Result<Verdict, ChecklistProblem> {
        var found = found
        while true {
            let decision: Decision<TaxonEvent>
            do {
                decision = try entry.decide(found.state)
            } catch {
                return .failure(ChecklistProblem(line: entry.line, reason: "the taxon cannot be changed: \(error)"))
            }
            if decision.isEmpty { return .success(.known) }
            switch try await log.append(decision, to: entry.id.uuid, at: found.version, named: "ImportTaxon") {
            case .appended: return .success(found.version == 0 ? .added : .changed)
            case .rejected(let reason): return .failure(ChecklistProblem(line: entry.line, reason: reason))
            case .conflict:
                found = try await log.lookup.states(of: [entry.id.uuid])[entry.id.uuid] ?? FoundStream()
            }
        }
    }
}

extension TaxaImport.Summary: CustomStringConvertible {
    /// A table for people; at most twenty problems.
    package var description: String {
        var lines = [
            "taxa added          \(RuleViolation.grouped(added))",
            "taxa changed        \(RuleViolation.grouped(changed))",
            "taxa already known  \(RuleViolation.grouped(known))",
            "not understood      \(RuleViolation.grouped(problems.count))",
        ]
        if acceptedSynonyms > 0 {
            lines.append(
                "synonyms left out   \(RuleViolation.grouped(acceptedSynonyms)) (accepted names of other taxa)")
        }
        lines += problems.prefix(20).map { "  \($0)" }
        if problems.count > 20 { lines.append("  and \(problems.count - 20) more") }
        return lines.joined(separator: "\n")
    }
}

/// All taxa, read from the log itself: imports must not depend on the progress of a read model.
package struct LoggedTaxa: Sendable {
    private let database: any PostgresQuerying

    /// Reads the log through a pool or a connection.
    package init(_ database: any PostgresQuerying) {
        self.database = database
    }

    /// The present state of every taxon.
    /// - Throws: `PostgresError`, `PayloadFault`.
    package func entries() async throws -> [TaxonEntry] {
        try await states().compactMap { id, state in state.taxon.map { TaxonEntry(id, $0) } }
    }

    /// Every taxon's state, by pages of streams in the order of their ids.
    func states() async throws -> [(TaxonID, TaxonState)] {
        var all: [(TaxonID, TaxonState)] = []
        var last: UUID? = UUID(bytes: [])
        while let after = last {
            let page = try await database.query(
                "select id from log.streams where kind = 'taxon' and id > \(after) order by id limit 1000")
            let ids: [UUID] = try page.rows.map { try $0.decode("id") }
            let found = try await StreamLookup(database: database).states(of: ids, as: TaxonState.self)
            all += ids.compactMap { id in found[id].map { (TaxonID(id), $0.state) } }
            last = ids.last
        }
        return all
    }
}
