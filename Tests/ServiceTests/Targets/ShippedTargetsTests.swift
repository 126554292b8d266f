import Domain
import Foundation
import TestSupport
import Testing

@testable import Service

/// The lists that come with Skein, as a fresh service chooses by them.
struct ShippedTargetsTests {
    private let lists: TargetLists
    private let regions: [RegionCode]
    private var entries: [TaxonEntry] = []
    private var ids: [String: TaxonID] = [:]

    init() throws {
        lists = try TargetLists(folder: PackageRoot.path + "/share/targets")
        regions = try ImportFixture.shippedPlaces.get().regions.map(\.code)
        let files = ["higher", "birds", "mammals", "reptiles", "amphibians"]
        for file in files {
            let columns = ["scientificName", "rank", "kind", "parent"]
            for row in try TableFile(PackageRoot.path + "/share/taxa/\(file).tsv", columns: columns).map({ $0 }) {
                let id = TaxonID(UUID())
                ids[row["scientificName"]] = id
                entries.append(
                    TaxonEntry(
                        id: id, rank: try TaxonRank(word: row["rank"]), kind: try TaxonKind(word: row["kind"]),
                        parent: ids[row["parent"]], scientificName: row["scientificName"]))
            }
        }
    }

    private func taxa(_ week: ISOWeek) -> TargetTaxa {
        TargetTaxa(
            entries, disturbed: Set(lists.disturbed(in: week).compactMap { ids[$0] }),
            ranked: lists.ranked.compactMap { ids[$0] })
    }

    @Test func `every region has 30 birds in every month`() throws {
        let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.scientificName, $0.kind) })
        for region in regions {
            for month in 1...12 {
                let week = ISOWeek(of: try CivilDate("2026-\(month < 10 ? "0" : "")\(month)-15"))
                let birds = lists.seasonal(in: region, week).filter { kinds[$0] == .bird }
                #expect(birds.count >= 30, "\(region) \(month)")
            }
        }
    }

    /// A year without records: each week three birds, never one that a better one of the list could replace.
    @Test func `a fresh service chooses birds that people are glad to find`() throws {
        let first = try ISOWeek("2026-W01")
        let years = (0..<53).map { first.adding(weeks: $0) }
        let taxaOfWeeks = Dictionary(uniqueKeysWithValues: years.map { ($0, taxa($0)) })
        let names = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
        let birds = Set(entries.filter { $0.kind == .bird }.map(\.id))
        let everyday = ["Columba livia", "Sturnus vulgaris", "Passer domesticus", "Corvus brachyrhynchos"]
        for region in regions {
            var chosen: [ISOWeek: [TaxonID]] = [:]
            for week in years {
                let taxa = try #require(taxaOfWeeks[week])
                let choice = TargetChoice(
                    TargetChoice.Input(
                        week: week, own: SeasonStatistics([], taxa),
                        seasonal: lists.seasonal(in: region, week).compactMap { ids[$0] }, otherWeeks: chosen,
                        taxa: taxa))
                chosen[week] = choice.picks.map(\.taxon)
                #expect(choice.picks.count == 3 && choice.picks.allSatisfy { birds.contains($0.taxon) })
                guard week < first.adding(weeks: 4) else { continue }
                let picked = choice.picks.compactMap { names[$0.taxon] }
                #expect(Set(picked).isDisjoint(with: everyday), "\(region) \(week): \(picked)")
            }
        }
    }
}
