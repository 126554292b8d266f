/// Chooses the targets of a region and week. A pure function: the same input gives the same targets.
package struct TargetChoice: Sendable {
    /// The version of these rules, which events name.
    package static let rules = 2
    /// The weeks in which a species does not return: before and after, as later weeks may be planned.
    package static let restWeeks = 8
    private static let shortRestWeeks = 4

    /// The input of a choice.
    package struct Input: Sendable {
        package var week: ISOWeek
        /// The statistics of the region itself.
        package var own: SeasonStatistics
        /// The statistics of its neighbours, the nearest first.
        package var neighbours: [SeasonStatistics]
        /// Species of the seasonal list for the region and month.
        package var seasonal: [TaxonID]
        /// Species that an admin fixed.
        package var planned: [TaxonID]
        /// The targets of the region's other weeks, as far as they matter.
        package var otherWeeks: [ISOWeek: [TaxonID]]
        package var taxa: TargetTaxa

        package init(
            week: ISOWeek, own: SeasonStatistics, neighbours: [SeasonStatistics] = [], seasonal: [TaxonID] = [],
            planned: [TaxonID] = [], otherWeeks: [ISOWeek: [TaxonID]] = [:], taxa: TargetTaxa
        ) {
            (self.week, self.own, self.neighbours, self.seasonal) = (week, own, neighbours, seasonal)
            (self.planned, self.otherWeeks, self.taxa) = (planned, otherWeeks, taxa)
        }
    }

    /// A species that was chosen.
    package struct Pick: Hashable, Sendable {
        package var taxon: TaxonID
        package var basis: TargetBasis
        package var difficulty: Difficulty?
        package var score: TargetScore?
    }

    /// At most three: the planned ones, then the others.
    package let picks: [Pick]
    /// In the order of ``Relaxation``.
    package let relaxed: [Relaxation]

    package init(_ input: Input) {
        // A species may have become sensitive since it was planned.
        let fixed = input.planned.filter(input.taxa.mayBeTarget).prefix(TargetsDecider.count)
            .map { input.pick(planned: $0) }
        // Bits count upwards, so that a rule is relaxed only when all combinations of the earlier ones have failed.
        for bits in 0..<(1 << Relaxation.allCases.count) {
            let relaxed = Relaxation.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
            if let found = TargetSearch(input, fixed, Set(relaxed)).find(TargetsDecider.count - fixed.count) {
                (picks, self.relaxed) = (fixed + found, relaxed)
                return
            }
        }
        let search = TargetSearch(input, fixed, Set(Relaxation.allCases))
        let most = (0...(TargetsDecider.count - fixed.count)).reversed().lazy.compactMap { search.find($0) }.first
        (picks, relaxed) = (fixed + (most ?? []), Relaxation.allCases)
    }

    /// The species that rest in a week.
    fileprivate static func resting(_ input: Input, weeks: Int) -> Set<TaxonID> {
        let span = input.week.adding(weeks: -weeks)...input.week.adding(weeks: weeks)
        return Set(input.otherWeeks.filter { span.contains($0.key) && $0.key != input.week }.flatMap(\.value))
    }

    fileprivate static func rest(_ relaxed: Set<Relaxation>) -> Int {
        relaxed.contains(.weeks) ? shortRestWeeks : restWeeks
    }
}

extension TargetChoice.Input {
    fileprivate func pick(planned taxon: TaxonID) -> TargetChoice.Pick {
        let known = own.species[taxon]
        return TargetChoice.Pick(
            taxon: taxon, basis: .plan, difficulty: known?.difficulty, score: known?.score)
    }

    /// The candidates, the best first: the region's own before those of neighbours, and these before the list's.
    fileprivate func candidates(_ relaxed: Set<Relaxation>) -> [TargetChoice.Pick] {
        var sources = [sorted(own, as: .records)]
        if relaxed.contains(.neighbours) { sources += neighbours.map { sorted($0, as: .neighbour) } }
        if relaxed.contains(.seasonalList) {
            let listed = seasonal.filter(taxa.mayBeChosen).sorted { taxa.place(of: $0) < taxa.place(of: $1) }
            sources.append(
                listed.map { TargetChoice.Pick(taxon: $0, basis: .seasonalList, difficulty: nil, score: nil) })
        }
        var seen: Set<TaxonID> = []
        return sources.joined().filter { seen.insert($0.taxon).inserted }
    }

    /// The species with the lowest recency come first, those without one last; equal ones by rank.
    private func sorted(_ statistics: SeasonStatistics, as basis: TargetBasis) -> [TargetChoice.Pick] {
        statistics.species.values
            .sorted { one, other in
                let (first, second) = (one.score.recency ?? .infinity, other.score.recency ?? .infinity)
                return first == second ? taxa.place(of: one.taxon) < taxa.place(of: other.taxon) : first < second
            }
            .map { TargetChoice.Pick(taxon: $0.taxon, basis: basis, difficulty: $0.difficulty, score: $0.score) }
    }
}

/// Looks for the best targets under some relaxations.
private struct TargetSearch {
    private let fixed: [TargetChoice.Pick]
    private let candidates: [TargetChoice.Pick]
    private let families: [TaxonID: TaxonID]
    private let relaxed: Set<Relaxation>

    init(_ input: TargetChoice.Input, _ fixed: [TargetChoice.Pick], _ relaxed: Set<Relaxation>) {
        let excluded = TargetChoice.resting(input, weeks: TargetChoice.rest(relaxed)).union(fixed.map(\.taxon))
        self.fixed = fixed
        self.relaxed = relaxed
        candidates = input.candidates(relaxed).filter { !excluded.contains($0.taxon) }
        families = Dictionary(
            uniqueKeysWithValues: Set((candidates + fixed).map(\.taxon)).compactMap { taxon in
                input.taxa.species(of: taxon)?.family.map { (taxon, $0) }
            })
    }

    /// The first `count` possible targets in the order of the candidates; nil if there are fewer.
    func find(_ count: Int) -> [TargetChoice.Pick]? {
        relaxed.contains(.difficulty)
            ? extend([], by: count, from: 0) : fill(freeDifficulties.prefix(count)[...], with: [])
    }

    /// The difficulties that no fixed target has.
    private var freeDifficulties: [Difficulty] {
        Difficulty.allCases.filter { difficulty in !fixed.contains { $0.difficulty == difficulty } }
    }

    /// One target for each difficulty.
    private func fill(_ slots: ArraySlice<Difficulty>, with found: [TargetChoice.Pick]) -> [TargetChoice.Pick]? {
        guard let slot = slots.first else { return found }
        for candidate in candidates where candidate.difficulty == slot && fits(candidate, found) {
            if let whole = fill(slots.dropFirst(), with: found + [candidate]) { return whole }
        }
        return nil
    }

    /// Targets of any difficulty.
    private func extend(
        _ found: [TargetChoice.Pick], by count: Int, from start: Int
    ) -> [TargetChoice.Pick]? {
        guard count > 0 else { return found }
        for index in candidates.indices.dropFirst(start) where fits(candidates[index], found) {
            if let whole = extend(found + [candidates[index]], by: count - 1, from: index + 1) { return whole }
        }
        return nil
    }

    private func fits(_ candidate: TargetChoice.Pick, _ found: [TargetChoice.Pick]) -> Bool {
        let chosen = fixed + found
        guard !chosen.contains(where: { $0.taxon == candidate.taxon }) else { return false }
        guard !relaxed.contains(.families), let family = families[candidate.taxon] else { return true }
        return !chosen.contains { families[$0.taxon] == family }
    }
}
