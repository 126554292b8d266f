package import FoundationEssentials

/// The season of a week: the days around it, in earlier years.
package struct TargetSeason: Hashable, Sendable {
    /// Days before and after the week's Thursday.
    package static let reach = 14
    /// How many years back records count.
    package static let years = 10

    package let week: ISOWeek

    package init(of week: ISOWeek) {
        self.week = week
    }

    /// The days of the season some years before the week's, 1 to ``years``. They may reach into another year.
    package func days(yearsBack: Int) -> ClosedRange<CivilDate> {
        let (year, month) = (week.thursday.year - yearsBack, week.thursday.month)
        let day = min(week.thursday.day, CivilDate.days(inMonth: month, of: year))
        let centre = CivilDate(uncheckedYear: year, month: month, day: day)
        return centre.adding(days: -Self.reach)...centre.adding(days: Self.reach)
    }
}

/// The records of a taxon in one season of a region. They are approved, wild, to the day and not generalised.
package struct SeasonRecords: Hashable, Sendable {
    package var taxon: TaxonID
    /// 1 for the year before.
    package var yearsBack: Int
    package var records: Int
    /// Each once: observers, the recorders of imported rows, and the datasets of rows without one.
    package var observers: [UUID]

    package init(taxon: TaxonID, yearsBack: Int, records: Int, observers: [UUID]) {
        (self.taxon, self.yearsBack, self.records, self.observers) = (taxon, yearsBack, records, observers)
    }
}

/// The statistics of each species of a region in the season of a week.
package struct SeasonStatistics: Sendable {
    /// A species that may be a target.
    struct Species: Sendable {
        var taxon: TaxonID
        var score: TargetScore
        var difficulty: Difficulty
    }

    /// The observers who recorded anything in the last five seasons.
    package let activeObservers: Int
    /// The eligible species, by id.
    let species: [TaxonID: Species]

    /// - Parameters:
    ///   - records: of one region, in any order.
    ///   - taxa: the taxonomy as of the same position.
    package init(_ records: [SeasonRecords], _ taxa: TargetTaxa) {
        var tallies: [TaxonID: SpeciesTally] = [:]
        var classes: [TaxonKind: Recency] = [:]
        var active: Set<UUID> = []
        // Many records are of few taxa.
        let found = Set(records.map(\.taxon)).compactMap { taxon in taxa.species(of: taxon).map { (taxon, $0) } }
        let known = Dictionary(uniqueKeysWithValues: found)
        for part in records {
            if part.yearsBack <= SpeciesTally.findabilityYears { active.formUnion(part.observers) }
            guard let species = known[part.taxon] else { continue }
            tallies[species.id, default: SpeciesTally(species.kind)].add(part)
            classes[species.kind, default: Recency()].add(part)
        }
        activeObservers = active.count
        let scores = tallies.filter { taxa.mayBeChosen($0.key) && $0.value.isEligible }
            .mapValues { $0.score(active: active.count, class: classes[$0.kind] ?? Recency()) }
        let easiestFirst = scores.sorted { one, other in
            one.value.findability == other.value.findability
                ? taxa.place(of: one.key) < taxa.place(of: other.key) : one.value.findability > other.value.findability
        }
        var species: [TaxonID: Species] = [:]
        for (rank, (taxon, score)) in easiestFirst.enumerated() {
            // Thirds; where they are not equal, the easier ones are larger.
            let third = Difficulty.allCases[rank * Difficulty.allCases.count / easiestFirst.count]
            species[taxon] = Species(taxon: taxon, score: score, difficulty: third)
        }
        self.species = species
    }
}

/// The counts of one species.
private struct SpeciesTally {
    static let findabilityYears = 5
    private static let fewestRecords = 5
    private static let fewestObservers = 3
    private static let fewestSeasons = 2

    let kind: TaxonKind
    private var records = 0
    private var observers: Set<UUID> = []
    private var lately: Set<UUID> = []
    private var seasons: Set<Int> = []
    private var recency = Recency()

    init(_ kind: TaxonKind) {
        self.kind = kind
    }

    mutating func add(_ part: SeasonRecords) {
        records += part.records
        observers.formUnion(part.observers)
        if part.yearsBack <= Self.findabilityYears { lately.formUnion(part.observers) }
        seasons.insert(part.yearsBack)
        recency.add(part)
    }

    var isEligible: Bool {
        records >= Self.fewestRecords && observers.count >= Self.fewestObservers && seasons.count >= Self.fewestSeasons
    }

    func score(active: Int, class whole: Recency) -> TargetScore {
        let ratio = recency.ratio.map { own in own / (whole.ratio.flatMap { $0 > 0 ? $0 : nil } ?? 1) }
        return TargetScore(
            records: records, observers: observers.count, seasons: seasons.count,
            findability: Self.rounded(active == 0 ? 0 : Double(lately.count) / Double(active)),
            recency: ratio.map(Self.rounded))
    }

    /// To 4 decimals, so that the event says exactly what was compared.
    private static func rounded(_ value: Double) -> Double {
        (value * 10_000).rounded() / 10_000
    }
}

/// How much was recorded lately, and before.
private struct Recency {
    private var lately = 0
    private var before = 0

    mutating func add(_ part: SeasonRecords) {
        switch part.yearsBack {
        case 1...2: lately += part.records
        case 3...7: before += part.records
        default: break
        }
    }

    /// The records of the last two seasons over the mean of the five before; nil where there were none before.
    var ratio: Double? {
        before == 0 ? nil : Double(lately) / (Double(before) / 5)
    }
}
