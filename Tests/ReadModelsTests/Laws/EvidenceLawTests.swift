import EventLog
import Postgres
import TestRandom
import TestSupport
import Testing

@testable import ReadModels

/// Evidence for moderators is what everyone sees now, whatever happened to the records: a record that a rise of its
/// taxon's category, a narrowing or a correction has hidden is none, nor is a former version of a guarded one.
struct EvidenceLawTests {
    @Test(arguments: RandomSource.seeds(4))
    func `evidence counts the accepted records that everyone sees`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            try await fixture.write(seed: seed, steps: 300, reviewing: seed.isMultiple(of: 2))
            try await fixture.follow([.sightingsPublic])
            let head = try await LogOrigin.read(fixture.pool).position
            var totals: [Int] = []
            for settled in [0, head / 3, head * 2 / 3, head] {
                let moment = PublicMoment(known: head, shown: head, guarded: settled, settled: settled)
                let taxa = try await compare(moment, fixture)
                for taxon in taxa { #expect(taxon.evidence == taxon.seen, "\(taxon), \(settled) of \(head)") }
                totals.append(taxa.reduce(0) { $0 + $1.seen[0] })
            }
            guard RandomSource.isFixed(seed) else { return }
            #expect(totals[0] > 0 && totals[0] < totals[3], "there are guarded ones")
        }
    }

    /// The accepted records of a taxon, and those further south than 45 degrees.
    private struct Counts {
        let taxon: String
        let evidence: [Int]
        let seen: [Int]
    }

    private func compare(_ moment: PublicMoment, _ fixture: ModelFixture) async throws -> [Counts] {
        let schema = ReadModel.sightingsPublic.schema
        let result = try await fixture.pool.query(
            """
            select t.taxon::text as taxon, e.accepted, e.below, s.records, s.further_south
              from (select distinct taxon from \(identifier: schema).records where taxon is not null) t
             cross join lateral \(identifier: schema).evidence(
                array[row(gen_random_uuid(), t.taxon, 'rockies', 45, -120, date '2026-05-01')
                          ::\(identifier: schema).asked], \(moment.settled)) e
             cross join lateral (
                select count(*) as records,
                       count(*) filter (where \(identifier: schema).margin_row(s.latitude)
                                              < \(identifier: schema).margin_row(45)) as further_south
                  from \(identifier: schema).records s
                 where s.taxon = t.taxon and s.kind = 'record' and s.status in ('approved', 'accepted-by-source')
                   and s.latitude is not null and \(fragment: moment.condition)) s
            """)
        return try result.rows.map { row in
            Counts(
                taxon: try row.decode("taxon"), evidence: [try row.decode("accepted"), try row.decode("below")],
                seen: [try row.decode("records"), try row.decode("further_south")])
        }
    }
}
