import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// A sighting that is corrected again and again.
struct LongLifeTests {
    /// What changes with each correction.
    enum Change: CaseIterable {
        /// Between two sensitive taxa, each in force before.
        case taxon
        /// The values of a guarded record, whose public id changes with them.
        case values
    }

    private static let (guarded, obscured) = (FixtureLog.number(20), FixtureLog.number(21))
    private static let sighting = FixtureLog.number(60)
    private static let corrections = 60

    @Test(arguments: Change.allCases)
    func `its public rows grow with its corrections, not with their square`(change: Change) async throws {
        try await ModelFixture.run { fixture in
            var writer = LogWriter(fixture.owner)
            try await writer.append(Self.taxa + Self.life(change))
            try await fixture.build(.sightingsPublic, in: "trial")
            try await fixture.fold("trial", after: 0, upTo: writer.head)
            let found = try await fixture.owner.query(
                """
                select count(*) as rows, count(*) filter (where r.kind = 'record') as shown,
                       count(*) filter (where upper_inf(r.valid) and upper_inf(r.shown) and r.kind = 'record') as now
                  from trial.records r
                """
            ).onlyRow()
            #expect(try found.decode("now", as: Int64.self) == 1)
            #expect(try found.decode("shown", as: Int64.self) > Self.corrections)
            #expect(try found.decode("rows", as: Int64.self) < 4 * Self.corrections)
            _ = try await fixture.owner.query("set search_path = trial, pg_catalog, public")
            let cuts = try await fixture.owner.query("select from cut(\([Self.sighting]), 0, \(writer.head))").count
            #expect(cuts < 4 * Self.corrections)
        }
    }

    private static let taxa = [(guarded, 2), (obscured, 3)].flatMap { taxon, category in
        [
            Sightings.taxon(taxon),
            GeneratedEvent(taxon, "taxon", "TaxonSensitivitySet", ["category": .number(category)]),
        ]
    }

    private static func life(_ change: Change) -> [GeneratedEvent] {
        let first = Sightings.submitted(sighting, by: FixtureLog.number(1), taxon: guarded, sensitivity: 2)
        let corrections = (1...corrections).map { number in
            switch change {
            case .taxon:
                let (taxon, category) = number.isMultiple(of: 2) ? (guarded, 2) : (obscured, 3)
                return Sightings.corrected(sighting, ["taxon": .id(taxon), "sensitivity": .number(category)])
            case .values: return Sightings.corrected(sighting, ["count": .number(number)])
            }
        }
        return [first] + corrections
    }
}
