import FoundationEssentials
import TestRandom
import Testing

@testable import Domain

/// An id for a number.
private func numbered<ID: Identifier>(_ number: Int, as _: ID.Type = TaxonID.self) -> ID {
    ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255))))
}

/// A small world for choices: species of families, and what was recorded of them.
private struct TargetWorld {
    var entries: [TaxonEntry] = []
    var records: [SeasonRecords] = []
    var disturbed: Set<TaxonID> = []
    var kinds = TargetTaxa.usualKinds
    var ranked: [TaxonID] = []

    init(families: Int = 12, speciesEach: Int = 2) {
        for family in 0..<families {
            entries.append(entry(1000 + family, .family, parent: nil))
            for species in 0..<speciesEach {
                entries.append(entry(Self.number(family, species), .species, parent: 1000 + family))
            }
        }
    }

    static func number(_ family: Int, _ species: Int) -> Int { 1 + family * 10 + species }

    func entry(_ number: Int, _ rank: TaxonRank, parent: Int?) -> TaxonEntry {
        TaxonEntry(
            id: numbered(number), rank: rank, kind: .bird, parent: parent.map { numbered($0) },
            scientificName: "Taxon \(number)")
    }

    /// Lets observers 1 to `observers` record a species once a year in some years.
    mutating func record(_ taxon: Int, observers: Int, years: [Int]) {
        for year in years {
            records.append(
                SeasonRecords(
                    taxon: numbered(taxon), yearsBack: year, records: observers,
                    observers: (1...observers).map(Self.observer)))
        }
    }

    static func observer(_ number: Int) -> UUID { numbered(5000 + number, as: AccountID.self).uuid }

    /// Species 0 of family f is seen by `40 - f` observers in all ten years.
    static func rich() -> TargetWorld {
        var world = TargetWorld()
        for family in 0..<12 {
            world.record(Self.number(family, 0), observers: 40 - 3 * family, years: Array(1...10))
        }
        return world
    }

    var taxa: TargetTaxa { TargetTaxa(entries, disturbed: disturbed, kinds: kinds, ranked: ranked) }

    func input(_ change: (inout TargetChoice.Input) -> Void = { _ in }) throws -> TargetChoice.Input {
        var input = TargetChoice.Input(
            week: try ISOWeek("2026-W18"), own: SeasonStatistics(records, taxa), taxa: taxa)
        change(&input)
        return input
    }

    func choose(_ change: (inout TargetChoice.Input) -> Void = { _ in }) throws -> TargetChoice {
        TargetChoice(try input(change))
    }

    /// The family of a species by its number.
    func family(of taxon: TaxonID) -> TaxonID? { entries.first { $0.id == taxon }?.parent }
}

struct TargetChoiceTests {
    @Test func `one of each difficulty, of different families, nothing relaxed`() throws {
        let world = TargetWorld.rich()
        let choice = try world.choose()
        #expect(choice.relaxed.isEmpty)
        #expect(choice.picks.map(\.difficulty) == [.easy, .moderate, .hard])
        #expect(Set(choice.picks.map { world.family(of: $0.taxon) }).count == 3)
        #expect(choice.picks.allSatisfy { $0.basis == .records && $0.score != nil })
    }

    @Test func `thirds are by findability`() throws {
        let statistics = SeasonStatistics(TargetWorld.rich().records, TargetWorld.rich().taxa)
        let order = statistics.species.values.sorted { $0.score.findability > $1.score.findability }
        #expect(order.map(\.difficulty) == Difficulty.allCases.flatMap { [$0, $0, $0, $0] })
        #expect(statistics.activeObservers == 40 && order.first?.score.findability == 1)
    }

    @Test func `the order of the input does not matter`() throws {
        let world = TargetWorld.rich()
        var random = RandomSource(seed: 7)
        let expected = try world.choose()
        for _ in 0..<20 {
            var other = world
            other.records.shuffle(using: &random)
            other.entries.shuffle(using: &random)
            let choice = try other.choose()
            #expect(choice.picks == expected.picks && choice.relaxed == expected.relaxed)
        }
    }

    /// A species just below one of the bounds is not eligible, and one on all of them is.
    @Test(arguments: [(5, 1, 2, false), (1, 3, 1, false), (2, 2, 2, false), (1, 3, 2, true)])
    func `five records by three observers in two years`(
        perYear: Int, observers: Int, years: Int, isEligible: Bool
    ) {
        var world = TargetWorld()
        for _ in 0..<perYear { world.record(1, observers: observers, years: Array(1...years)) }
        #expect(SeasonStatistics(world.records, world.taxa).species.isEmpty != isEligible)
    }

    @Test func `subspecies count for their species, genera for none`() throws {
        var world = TargetWorld()
        world.entries.append(world.entry(700, .subspecies, parent: 1))
        world.entries.append(world.entry(701, .genus, parent: 1000))
        world.record(700, observers: 3, years: [1, 2])
        world.record(701, observers: 9, years: [1, 2])
        let statistics = SeasonStatistics(world.records, world.taxa)
        #expect(Array(statistics.species.keys) == [numbered(1)])
        #expect(statistics.activeObservers == 9)
    }

    @Test func `no sensitive species, none below a sensitive taxon, none whose nests are disturbed`() throws {
        var world = TargetWorld.rich()
        world.entries[1].sensitivity = .two
        world.entries[3].sensitivity = .four
        world.disturbed = [numbered(TargetWorld.number(2, 0))]
        let species = SeasonStatistics(world.records, world.taxa).species
        #expect(species[world.entries[1].id] == nil && species[numbered(TargetWorld.number(1, 0))] == nil)
        #expect(species[numbered(TargetWorld.number(2, 0))] == nil && species.count == 9)
    }

    @Test func `the least recorded lately comes first, ties by id`() throws {
        var world = TargetWorld.rich()
        // In the easy third, family 2 was recorded less in the last two years.
        world.records.removeAll { $0.taxon == numbered(TargetWorld.number(2, 0)) && $0.yearsBack <= 2 }
        #expect(try world.choose().picks.first?.taxon == numbered(TargetWorld.number(2, 0)))
        #expect(try TargetWorld.rich().choose().picks.first?.taxon == numbered(TargetWorld.number(0, 0)))
    }

    /// All of one family are mammals: its species are no targets, wherever they come from.
    @Test func `targets are birds, unless other kinds are admitted; a plan may name any`() throws {
        func world(_ kinds: Set<TaxonKind>) -> TargetWorld {
            var world = TargetWorld.rich()
            for index in world.entries.indices where world.entries[index].parent == numbered(1000) {
                world.entries[index].kind = .mammal
            }
            world.kinds = kinds
            return world
        }
        let mammal: TaxonID = numbered(TargetWorld.number(0, 0))
        let (birds, both, mammals) = (world([.bird]), world([.bird, .mammal]), world([.mammal]))
        #expect(try both.choose().picks.first?.taxon == mammal)
        #expect(try !birds.choose().picks.contains { $0.taxon == mammal })
        #expect(SeasonStatistics(birds.records, birds.taxa).species.count == 11)
        for only in [birds, mammals] {
            let neighbour = SeasonStatistics(both.records, only.taxa)
            var poor = only
            poor.records = []
            let choice = try poor.choose { input in
                (input.neighbours, input.seasonal) = ([neighbour], poor.entries.map(\.id))
            }
            let kinds = Set(choice.picks.map { pick in only.entries.first { $0.id == pick.taxon }?.kind })
            #expect(kinds == Set(only.kinds.map(Optional.some)))
        }
        let planned = try birds.choose { $0.planned = [mammal] }
        #expect(planned.picks.count == 3 && planned.picks.first?.taxon == mammal)
    }

    @Test func `equal species are in the order of their rank, those without one last, by id`() throws {
        var world = TargetWorld()
        world.ranked = [9, 4, 6, 2].map { numbered(TargetWorld.number($0, 1)) }
        let listed = [0, 2, 4, 6, 9].map { numbered(TargetWorld.number($0, 1), as: TaxonID.self) }
        let choice = try world.choose { $0.seasonal = listed }
        #expect(choice.picks.map(\.taxon) == Array(world.ranked.prefix(3)))
        #expect(
            try world.choose { $0.seasonal = Array(listed.prefix(3)) }.picks.map(\.taxon)
                == [4, 2, 0].map { numbered(TargetWorld.number($0, 1)) })

        // By records, in the region and in its neighbours: only in early seasons, so that recency is unknown.
        for family in 0..<9 { world.record(TargetWorld.number(family, 1), observers: 3, years: [9, 10]) }
        world.ranked = [8, 5, 2].map { numbered(TargetWorld.number($0, 1)) }
        #expect(try world.choose().picks.map(\.taxon) == [8, 0, 4].map { numbered(TargetWorld.number($0, 1)) })
        let neighbour = SeasonStatistics(world.records, world.taxa)
        var poor = world
        poor.records = []
        #expect(try poor.choose { $0.neighbours = [neighbour] }.picks.first?.taxon == world.ranked.first)
    }

    @Test func `a species rests for eight weeks before and after`() throws {
        let world = TargetWorld.rich()
        let first = try #require(try world.choose().picks.first?.taxon)
        for distance in [-8, -1, 1, 8] {
            let choice = try world.choose { $0.otherWeeks[$0.week.adding(weeks: distance)] = [first] }
            #expect(!choice.picks.contains { $0.taxon == first } && choice.relaxed.isEmpty, "\(distance)")
        }
        for distance in [-9, 0, 9] {
            let choice = try world.choose { $0.otherWeeks[$0.week.adding(weeks: distance)] = [first] }
            #expect(choice.picks.contains { $0.taxon == first }, "\(distance)")
        }
    }

    @Test func `rules are relaxed one by one, in their order`() throws {
        var family = TargetWorld(families: 1, speciesEach: 9)
        for species in 0..<9 {
            family.record(TargetWorld.number(0, species), observers: 30 - species, years: Array(1...10))
        }
        #expect(try family.choose().relaxed == [.families])

        let rich = TargetWorld.rich()
        let all = rich.records.map(\.taxon)
        let rested = try rich.choose { $0.otherWeeks[$0.week.adding(weeks: -5)] = all }
        #expect(rested.relaxed == [.weeks])
        let tired = try rich.choose { input in
            input.otherWeeks[input.week.adding(weeks: -4)] = all
            input.seasonal = (0..<5).map { numbered(TargetWorld.number($0, 1)) }
        }
        #expect(tired.relaxed == [.difficulty, .seasonalList])
        #expect(tired.picks.allSatisfy { $0.basis == .seasonalList && $0.difficulty == nil })

        var poor = TargetWorld()
        for number in 0..<2 { poor.record(TargetWorld.number(number, 0), observers: 3, years: [1, 2]) }
        let neighbour = SeasonStatistics(rich.records, rich.taxa)
        let helped = try poor.choose { $0.neighbours = [neighbour] }
        #expect(helped.relaxed == [.neighbours])
        #expect(helped.picks.map(\.basis).filter { $0 == .neighbour }.count == 1)
    }

    @Test func `without records the list gives three of different families`() throws {
        let world = TargetWorld()
        let choice = try world.choose { $0.seasonal = (0..<5).map { numbered(TargetWorld.number($0, 0)) } }
        #expect(choice.picks.count == 3 && choice.relaxed == [.difficulty, .seasonalList])
        #expect(Set(choice.picks.map { world.family(of: $0.taxon) }).count == 3)
    }

    @Test func `fewer than three are possible, and said`() throws {
        let world = TargetWorld()
        #expect(try world.choose().picks.isEmpty)
        #expect(try world.choose().relaxed == Relaxation.allCases)
        let one = try world.choose { $0.seasonal = [numbered(1)] }
        #expect(one.picks.map(\.taxon) == [numbered(1)] && one.relaxed == Relaxation.allCases)
    }

    @Test func `planned species come first, and the others fit them`() throws {
        let world = TargetWorld.rich()
        let planned: TaxonID = numbered(TargetWorld.number(11, 0))
        let choice = try world.choose { $0.planned = [planned] }
        #expect(choice.picks.map(\.taxon).first == planned && choice.picks.first?.basis == .plan)
        #expect(choice.picks.map(\.difficulty) == [.hard, .easy, .moderate] && choice.relaxed.isEmpty)
        var sensitive = world
        sensitive.entries[sensitive.entries.firstIndex { $0.id == planned } ?? 0].sensitivity = .one
        #expect(try !sensitive.choose { $0.planned = [planned] }.picks.contains { $0.taxon == planned })
        let all = (0..<3).map { numbered(TargetWorld.number($0, 1)) }
        #expect(try world.choose { $0.planned = all }.picks.map(\.taxon) == all)
    }

    /// Over any statistics: never the same species twice, no resting or sensitive one, three where three are possible.
    @Test func `random worlds`() throws {
        for seed in 0..<200 {
            var random = RandomSource(seed: UInt64(seed))
            var world = TargetWorld(families: 5, speciesEach: 3)
            for family in 0..<5 {
                for species in 0..<3 where random.isTrue(oneIn: 2) {
                    let years = (1...10).filter { _ in random.isTrue(oneIn: 2) }
                    world.record(
                        TargetWorld.number(family, species), observers: random.int(in: 1...8), years: years)
                }
            }
            let resting: TaxonID = numbered(TargetWorld.number(0, 0))
            let input = try world.input { input in
                input.otherWeeks[input.week.adding(weeks: -2)] = [resting]
                input.seasonal = (0..<4).map { numbered(TargetWorld.number($0, 2)) }
            }
            let choice = TargetChoice(input)
            #expect(choice.picks.count == 3, "seed \(seed)")
            #expect(Set(choice.picks.map(\.taxon)).count == 3 && !choice.picks.contains { $0.taxon == resting })
            let families = Set(choice.picks.map { world.family(of: $0.taxon) })
            #expect(choice.relaxed.contains(.families) || families.count == 3, "seed \(seed)")
            if !choice.relaxed.contains(.difficulty) {
                #expect(Set(choice.picks.map(\.difficulty)).count == 3, "seed \(seed)")
            }
        }
    }
}

struct TargetSeasonTests {
    @Test func `a season is the same days of an earlier year, also over its turn and without a leap day`() throws {
        let spring = TargetSeason(of: try ISOWeek("2026-W18"))
        #expect(spring.days(yearsBack: 1) == (try CivilDate("2025-04-16"))...(try CivilDate("2025-05-14")))
        let winter = TargetSeason(of: try ISOWeek("2026-W01"))
        #expect(winter.days(yearsBack: 2) == (try CivilDate("2023-12-18"))...(try CivilDate("2024-01-15")))
        let leap = TargetSeason(of: ISOWeek(of: try CivilDate("2024-02-29")))
        #expect(leap.week.thursday == (try CivilDate("2024-02-29")))
        #expect(leap.days(yearsBack: 1).upperBound == (try CivilDate("2023-03-14")))
        #expect((1...10).allSatisfy { spring.days(yearsBack: $0).upperBound < spring.week.monday })
    }
}

struct TargetProgressTests {
    private func progress(_ weeks: [String: (Int, Int)], running: String = "2026-W18") throws -> TargetProgress {
        var all: [ISOWeek: TargetProgress.Week] = [:]
        for (week, counts) in weeks {
            all[try ISOWeek(week)] = TargetProgress.Week(captured: counts.0, sent: counts.1)
        }
        return TargetProgress(all, running: try ISOWeek(running))
    }

    @Test func `runs count weeks with captures`() throws {
        let found = try progress(["2026-W10": (1, 0), "2026-W11": (3, 0), "2026-W13": (1, 0), "2026-W17": (1, 0)])
        #expect((found.completedWeeks, found.currentRun, found.longestRun) == (1, 1, 2))
    }

    @Test func `an open finding keeps a week open, and so does the running week`() throws {
        let kept = try progress(["2026-W15": (1, 0), "2026-W16": (0, 1), "2026-W17": (2, 0)])
        #expect((kept.currentRun, kept.longestRun) == (2, 2))
        let ended = try progress(["2026-W15": (1, 0), "2026-W16": (0, 1)])
        #expect((ended.currentRun, ended.longestRun) == (0, 1))
        #expect(try progress([:]).longestRun == 0)
    }
}
