import Domain
import FoundationEssentials
import Postgres
import ReadModels
import Vault

extension ErrataReader {
    /// The ids that one statement looks up.
    private static let most = 10_000

    /// The differences of records that are no candidates themselves: their original id is now another record's, too, or
    /// no longer. Each comes with the first of the records that caused it.
    /// - Parameter causes: records that are in one of the answers only.
    func renumbered(
        by causes: [BulkRecord], _ question: Question, _ span: DifferenceQueries.Span
    ) async throws -> [(cause: SightingID, erratum: Erratum)] {
        guard !causes.isEmpty else { return [] }
        let namesakes = try await bulk.namesakes(in: question.query)
        guard !namesakes.datasets.isEmpty else { return [] }
        let originals = try await originals(of: causes, asOf: question.second)
        let ids = causes.map(\.record.row.id)
        let losers = Array(Set(ids.flatMap { namesakes.losers(to: $0, originals[$0]) }))
        var (before, now): ([SightingID: BulkRecord], [SightingID: BulkRecord]) = ([:], [:])
        for start in stride(from: 0, to: losers.count, by: Self.most) {
            let some = Array(losers[start..<min(start + Self.most, losers.count)])
            before.merge(try await records(some, question, question.first)) { $1 }
            now.merge(try await records(some, question, question.second)) { $1 }
        }
        let candidates = try await bulk.query { [ids = Array(before.keys)] in
            try await DifferenceQueries($0).candidates(in: span, among: ids)
        }
        let others = before.keys.filter { now[$0] != nil && !candidates.contains($0) }.sorted()
        var found: [(cause: SightingID, erratum: Erratum)] = []
        for erratum in try await errata(others, before, now, question, span) {
            guard let record = before[erratum.id], let original = record.row?.occurrenceID,
                let dataset = record.dataset?.id
            else { continue }
            let rivals = namesakes.rivals(of: erratum.id, original, in: dataset)
            let (old, new) = (
                try await contained(rivals, question, question.first),
                try await contained(rivals, question, question.second)
            )
            guard let cause = old.symmetricDifference(new).min(), ids.contains(cause) else { continue }
            found.append((cause, erratum))
        }
        return found
    }

    /// The original ids of imported records under their own ids, those of hidden rows included: they count, too.
    private func originals(
        of records: [BulkRecord], asOf moment: PublicMoment
    ) async throws -> [SightingID: (id: String, dataset: DatasetID)] {
        let imported = records.filter { $0.dataset != nil && !$0.record.row.isGeneralised }
        let hidden = imported.filter { $0.row == nil }.map(\.record.row.id.uuid)
        var contents: [UUID: StreamContent] = [:]
        if !hidden.isEmpty {
            contents = try await bulk.query {
                try await ContentStore(database: $0).content(of: hidden, fields: [.record], asOf: moment.known)
            }
        }
        var originals: [SightingID: (id: String, dataset: DatasetID)] = [:]
        for record in imported {
            let id = record.record.row.id
            let row = record.row ?? contents[id.uuid]?[.record].flatMap { PassedOnRow(content: $0) }
            guard let original = row?.occurrenceID, let dataset = record.dataset?.id else { continue }
            originals[id] = (original, dataset)
        }
        return originals
    }

    private func contained(
        _ ids: [SightingID], _ question: Question, _ moment: PublicMoment
    ) async throws -> Set<SightingID> {
        try await bulk.queries {
            try await $0.contained(ids, in: question.query, as: question.format, asOf: moment)
        }
    }
}
