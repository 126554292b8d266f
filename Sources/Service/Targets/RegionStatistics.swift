import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels

/// Gathers what the choice of a region's targets is based on.
package struct RegionStatistics: Sendable {
    /// A region and week, and the position that its statistics are as of.
    struct Question {
        let region: RegionCode
        let week: ISOWeek
        let asOf: Int64
    }

    enum Answer {
        case input(TargetChoice.Input)
        /// The public records or the taxa are not folded up to the position.
        case behind
        case withoutTaxa
    }

    /// What regions have in common: one pass over all of them reads it once.
    struct Pass {
        fileprivate var entries: (taxa: [TaxonEntry], position: Int64)?
        fileprivate var taxa: [Season: TargetTaxa] = [:]
        fileprivate var statistics: [Subject: SeasonStatistics] = [:]
    }

    fileprivate struct Season: Hashable {
        let week: ISOWeek
        let asOf: Int64
    }

    fileprivate struct Subject: Hashable {
        let region: RegionCode
        let season: Season
    }

    let store: StreamStore
    let season: SeasonQueries
    let taxa: TaxonQueries
    let lists: TargetLists
    /// The kinds of species that targets are chosen from.
    let kinds: Set<TaxonKind>

    func pass() -> Pass { Pass() }

    /// The input of a choice.
    func input(
        _ asked: Question, plan: [TaxonID], ids: TargetIDs, _ pass: inout Pass
    ) async throws -> Answer {
        guard try await season.position() >= asked.asOf else { return .behind }
        let (entries, reached) = try await entries(&pass)
        guard reached >= asked.asOf else { return .behind }
        guard !entries.isEmpty else { return .withoutTaxa }
        let when = Season(week: asked.week, asOf: asked.asOf)
        let taxa = try await taxa(when, entries, &pass)
        let own = try await statistics(Subject(region: asked.region, season: when), taxa, &pass)
        var neighbours: [SeasonStatistics] = []
        for region in lists.neighbours[asked.region] ?? [] {
            neighbours.append(try await statistics(Subject(region: region, season: when), taxa, &pass))
        }
        let listed = lists.seasonal(in: asked.region, asked.week)
        let seasonal = entries.filter { $0.rank == .species && listed.contains($0.scientificName) }.map(\.id)
        return .input(
            TargetChoice.Input(
                week: asked.week, own: own, neighbours: neighbours, seasonal: seasonal, planned: plan,
                otherWeeks: try await otherWeeks(around: asked, ids), taxa: taxa))
    }

    /// All taxa, and the position up to which they are complete.
    private func entries(_ pass: inout Pass) async throws -> (taxa: [TaxonEntry], position: Int64) {
        if let entries = pass.entries { return entries }
        let changes = try await taxa.changes()
        let entries = (changes.taxa.map(\.entry), changes.position)
        pass.entries = entries
        return entries
    }

    /// The taxonomy as of the position, without species that must be left in peace in the week.
    private func taxa(_ when: Season, _ entries: [TaxonEntry], _ pass: inout Pass) async throws -> TargetTaxa {
        if let taxa = pass.taxa[when] { return taxa }
        let past = try await season.taxonomy(asOf: when.asOf)
        let species = Dictionary(entries.filter { $0.rank == .species }.map { ($0.scientificName, $0.id) }) { $1 }
        let taxa = TargetTaxa(
            past.applied(to: entries), disturbed: Set(lists.disturbed(in: when.week).compactMap { species[$0] }),
            kinds: kinds, ranked: lists.ranked.compactMap { species[$0] })
        pass.taxa[when] = taxa
        return taxa
    }

    private func statistics(
        _ subject: Subject, _ taxa: TargetTaxa, _ pass: inout Pass
    ) async throws -> SeasonStatistics {
        if let known = pass.statistics[subject] { return known }
        let records = try await season.records(
            of: subject.region, in: TargetSeason(of: subject.season.week), asOf: subject.season.asOf)
        let statistics = SeasonStatistics(records, taxa)
        pass.statistics[subject] = statistics
        return statistics
    }

    /// The targets of the weeks before and after, from the log itself: a read model may lag.
    private func otherWeeks(around asked: Question, _ ids: TargetIDs) async throws -> [ISOWeek: [TaxonID]] {
        let weeks = (-TargetChoice.restWeeks...TargetChoice.restWeeks).filter { $0 != 0 }
            .map { asked.week.adding(weeks: $0) }
        let streams = weeks.map { ids.targets(asked.region, $0).uuid }
        let found: [UUID: Stored<TargetsState>] = try await store.load(streams)
        var targets: [ISOWeek: [TaxonID]] = [:]
        for (week, stream) in zip(weeks, streams) {
            guard let state = found[stream]?.state else { continue }
            targets[week] = state.plan + (state.targets + state.replaced.map(\.target)).map(\.taxon)
        }
        return targets
    }
}
