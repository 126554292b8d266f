import Domain
import Postgres
import ReadModels

extension ErrataReader {
    /// The differences of records that are no candidates themselves: their original id is now shared, or no longer.
    /// Each comes with the first of the records that caused it.
    /// - Parameter causes: records that are in one of the answers only.
    func renumbered(
        by causes: [BulkRecord], _ question: Question, _ span: DifferenceQueries.Span
    ) async throws -> [(cause: SightingID, erratum: Erratum)] {
        let imported = causes.filter { $0.row?.occurrenceID != nil }
        // Within one dataset an id is that of one record.
        guard !imported.isEmpty, question.query.filter.dataset == nil else { return [] }
        let datasets = try await bulk.queries { try await $0.republishedDatasets(of: question.query) }
        guard datasets.count > 1 else { return [] }
        let others = Array(Set(imported.flatMap { namesakes(of: $0, datasets) }))
        let before = try await records(others, question, question.first)
        let now = try await records(others, question, question.second)
        let candidates = try await bulk.query {
            try await DifferenceQueries($0).candidates(in: span, among: Array(before.keys))
        }
        let ids = before.keys.filter { now[$0] != nil && !candidates.contains($0) }.sorted()
        var found: [(cause: SightingID, erratum: Erratum)] = []
        for erratum in try await errata(ids, before, now, question, span) {
            guard let record = before[erratum.id] else { continue }
            let namesakes = namesakes(of: record, datasets)
            let (old, new) = (
                try await contained(namesakes, question, question.first),
                try await contained(namesakes, question, question.second)
            )
            guard let cause = old.symmetricDifference(new).min(),
                imported.contains(where: { $0.record.row.id == cause })
            else { continue }
            found.append((cause, erratum))
        }
        return found
    }

    private func contained(
        _ ids: [SightingID], _ question: Question, _ moment: PublicMoment
    ) async throws -> Set<SightingID> {
        try await bulk.queries { try await $0.contained(ids, in: question.query, as: question.format, asOf: moment) }
    }
}
