import Domain
import EventLog
import FoundationEssentials
import Postgres
import TestRandom
import Testing

@testable import ReadModels

/// Ranges under random rules, against a scan of all records with the rules of the domain.
struct RangeQueriesTests {
    private static let models: [ReadModel] = [
        .accounts, .taxa, .datasets, .photos, .sightingsExact, .sightingsPublic,
    ]

    @Test(arguments: RandomSource.seeds(3))
    func `records are counted as the rules of the domain say`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            try await fixture.write(seed: seed, steps: 150, reviewing: true)
            try await fixture.follow(Self.models)
            let head = try await LogOrigin.read(fixture.pool).position
            var random = RandomSource(seed: seed)
            var reasons: Set<LeftOutReason?> = []
            for known in [head, Int64(random.int(in: Int(head / 2)...Int(head)))] {
                let moment = PublicMoment(known: known, shown: head)
                let table = FilteredTable.records(moment)
                let (rows, taxa) = (try await table.rows(fixture), try await FilteredTaxa(fixture, asOf: known))
                let facts = try await RangeFacts.all(moment, fixture)
                let named = rows.filter { $0.taxon != nil }
                guard !named.isEmpty else { continue }
                for _ in 0..<60 {
                    let query = try Self.query(random.element(of: named), taxa, &random)
                    var filter = query.filter
                    filter.taxon = query.taxon
                    let met = rows.filter { $0.meets(filter, taxa) }
                    let expected = try ExpectedCounts(met, facts, query)
                    let found = try await RangeQueries(fixture.pool).counts(for: query, asOf: moment)
                    #expect(Set(found.groups) == Set(expected.groups), "\(query)")
                    #expect(Set(found.observers) == Set(expected.observers), "\(query)")
                    #expect(found.groups.reduce(0) { $0 + $1.records } == met.count, "\(query)")
                    let first = try await RangeQueries(fixture.pool).counts(for: query, asOf: moment, most: 2)
                    #expect(first.groups.count == min(3, found.groups.count), "\(query)")
                    reasons.formUnion(found.groups.map(\.reason))
                }
            }
            #expect(
                reasons.isSuperset(of: [nil, .noConfidence, .period]) && reasons.count > 3
                    || !RandomSource.isFixed(seed), "\(reasons)")
        }
    }

    @Test(arguments: RandomSource.seeds(2))
    func `a table has the records of each taxon that are passed on`(seed: UInt64) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            try await fixture.write(seed: seed, steps: 150, reviewing: true)
            try await fixture.follow(Self.models)
            let head = try await LogOrigin.read(fixture.pool).position
            var random = RandomSource(seed: seed)
            let moment = PublicMoment(known: head, shown: head)
            let rows = try await FilteredTable.records(moment).rows(fixture)
            let (taxa, queries) = (try await FilteredTaxa(fixture, asOf: head), RangeQueries(fixture.pool))
            let named = rows.filter { $0.taxon != nil }
            guard !named.isEmpty else { return }
            let recorded = Set(try await queries.recordedTaxa())
            #expect(recorded.isSuperset(of: named.compactMap { $0.taxon.map { TaxonID($0) } }))
            for _ in 0..<20 {
                let query = try Self.query(random.element(of: named), taxa, &random)
                var filter = query.filter
                filter.statuses = Set(BulkQuery.statuses)
                let terms = RangeTerms(period: query.period, side: query.side)
                let selection = RangeSelection(BulkQuery(filter: filter), terms)
                let some = Set(
                    [query.taxon] + (0..<3).compactMap { _ in random.element(of: named).taxon.map { TaxonID($0) } })
                let found = try await queries.counts(of: some, in: selection, asOf: moment)
                for taxon in some {
                    let whole = try await queries.counts(for: selection.range(of: taxon), asOf: moment)
                    let groups = found[taxon]?.groups ?? []
                    #expect(Self.passedOn(groups) == Self.passedOn(whole.groups), "\(query)")
                    let counted = try await queries.counted(for: taxon, in: selection, asOf: moment)
                    let records = groups.filter { $0.reason == nil }.reduce(0) { $0 + $1.records }
                    #expect(counted.count == records, "\(query)")
                    guard let one = counted.min(by: { $0.record.id < $1.record.id }) else { continue }
                    let rest = RangeSelection(
                        selection.query,
                        RangeTerms(period: query.period, side: query.side, without: [one.record.id]))
                    #expect(try await queries.counted(for: taxon, in: rest, asOf: moment) == counted.subtracting([one]))
                }
                try await Self.expectRejected(of: query.taxon, in: selection, moment, queries)
                let credits = try await queries.credits(of: [query.taxon], in: selection, asOf: moment)
                let own = found[query.taxon]?.groups.reduce(0) { $0 + $1.records } ?? 0
                #expect(credits.licences.values.reduce(0, +) == own, "\(query)")
            }
        }
    }

    /// Compares the records of a table with rejected ones with those of the other two choices together.
    private static func expectRejected(
        of taxon: TaxonID, in selection: RangeSelection, _ moment: PublicMoment, _ queries: RangeQueries
    ) async throws {
        var counted: [RejectedChoice?: Set<CountedRecord>] = [:]
        for choice in [nil, .with, .only] as [RejectedChoice?] {
            let chosen = RangeSelection(BulkQuery(filter: selection.query.filter, rejected: choice), selection.terms)
            let statuses: [SightingStatus] = chosen.range(of: taxon).statuses
            #expect(statuses.contains(.rejected) == (choice != nil) && (choice == .only) == (statuses == [.rejected]))
            counted[choice] = try await queries.counted(for: taxon, in: chosen, asOf: moment)
            let groups = try await queries.counts(of: [taxon], in: chosen, asOf: moment)[taxon]?.groups ?? []
            let records = groups.filter { $0.reason == nil }.reduce(0) { $0 + $1.records }
            #expect(records == counted[choice]?.count)
        }
        let (open, only) = (counted[nil as RejectedChoice?] ?? [], counted[.only] ?? [])
        #expect(open.isDisjoint(with: only) && counted[.with] == open.union(only))
        let taxa = (try await queries.recordedTaxa(), try await queries.recordedTaxa(.only))
        #expect(try await queries.recordedTaxa(.with) == taxa.0.union(taxa.1))
    }

    /// The records of each group that are passed on, without groups that have none.
    private static func passedOn(_ groups: [RangeCounts.Group]) -> [String: Int] {
        var records: [String: Int] = [:]
        for group in groups where group.records > group.notInExports {
            let key =
                "\(String(describing: group.region)) \(String(describing: group.period)) "
                + "\(String(describing: group.reason)) \(String(describing: group.place?.place))"
            records[key, default: 0] += group.records - group.notInExports
        }
        return records
    }

    /// A query that some records of a row's taxon meet.
    private static func query(
        _ row: FilteredRow, _ taxa: FilteredTaxa, _ random: inout RandomSource
    ) throws -> RangeQuery {
        let members = RecordFilter.Member.allCases.filter {
            $0 != .taxon && random.isTrue(oneIn: $0 == .minConfidence ? 3 : 6)
        }
        let line = row.taxon.map { taxa.line(of: $0) } ?? []
        return RangeQuery(
            of: TaxonID(random.element(of: line)), try row.filter(members, taxa, &random),
            period: random.element(of: RangePeriodKind.allCases), side: try CellSide(random.element(of: [5, 10, 100])),
            withPrompted: random.isTrue(oneIn: 4))
    }
}

/// The columns that a range depends on, beside those that filters read.
struct RangeFacts {
    let qualifier: String?
    let isGuarded: Bool
    let isGeneralised: Bool
    /// Nil if it is generalised.
    let observer: UUID?
    let visit: UUID?
    let isPrompted: Bool
    let isPassedOn: Bool

    static func all(_ moment: PublicMoment, _ fixture: ModelFixture) async throws -> [String: Self] {
        let kept = try await fixture.pool.query(
            "select id from \(identifier: ReadModel.datasets.schema).datasets where republish = 'yes'")
        let republished = Set(try kept.rows.map { try $0.decode("id", as: UUID.self) })
        let result = try await fixture.pool.query(
            """
            select s.id, s.qualifier, s.guarded, s.cell, s.geoprivacy, s.observer, s.recorder, s.licence, s.dataset,
                   s.visit, s.prompted
              from \(identifier: ReadModel.sightingsPublic.schema).records s
             where s.kind = 'record' and \(fragment: moment.condition)
            """)
        var facts: [String: Self] = [:]
        for row in result.rows {
            let isGuarded: Bool = try row.decode("guarded")
            let isGeneralised = try row.decode("cell", as: Int?.self) != nil
            let isOpen = try row.decode("geoprivacy", as: String?.self) == "open" && !isGuarded && !isGeneralised
            let seen = try row.decode("observer", as: UUID?.self) ?? row.decode("recorder", as: UUID?.self)
            let dataset: UUID? = try row.decode("dataset")
            facts[try row.decode("id", as: UUID.self).uuidString] = Self(
                qualifier: try row.decode("qualifier"), isGuarded: isGuarded, isGeneralised: isGeneralised,
                observer: isOpen ? seen : nil, visit: try row.decode("visit"),
                isPrompted: try row.decode("prompted", as: Bool?.self) ?? false,
                isPassedOn: try row.decode("licence", as: String?.self) != nil
                    && dataset.map { republished.contains($0) } ?? true)
        }
        return facts
    }
}

/// The counts as the domain makes them, record by record.
private struct ExpectedCounts {
    private struct Key: Hashable {
        let region: RegionCode?
        let period: RangePeriod?
        let reason: LeftOutReason?
        let place: Coordinate?
    }

    private(set) var groups: [RangeCounts.Group] = []
    private(set) var observers: [RangeCounts.Observers] = []

    init(_ rows: [FilteredRow], _ facts: [String: RangeFacts], _ query: RangeQuery) throws {
        var members: [Key: [(id: SightingID, facts: RangeFacts)]] = [:]
        var seen: [RangePeriod: [RegionCode?: (observers: Set<UUID>, visits: Set<UUID>)]] = [:]
        for row in rows {
            let own = try #require(facts[row.id])
            let first = try CivilDate(try #require(row.first))
            let period = RangePeriod(query.period, from: first, to: try CivilDate(try #require(row.last)))
            let reason = query.rule.reason(against: row.candidate(own, fitsPeriod: period != nil))
            let region = row.region.map { RegionCode(unchecked: $0) }
            let key = Key(region: region, period: period, reason: reason, place: reason == nil ? row.place : nil)
            members[key, default: []].append((try #require(SightingID(row.id.lowercased())), own))
            guard reason == nil, let period, own.observer != nil || own.visit != nil else { continue }
            var both = seen[period]?[region] ?? ([], [])
            both.observers.formUnion([own.observer].compactMap(\.self))
            both.visits.formUnion([own.visit].compactMap(\.self))
            seen[period, default: [:]][region] = both
        }
        for (key, members) in members {
            let ids = members.map(\.id)
            let place = try key.place.map { RangeRecord(id: try #require(ids.min()), place: $0) }
            groups.append(
                RangeCounts.Group(
                    region: key.region, period: key.period, reason: key.reason, place: place, records: members.count,
                    generalised: members.count { $0.facts.isGeneralised },
                    notInExports: members.count { !$0.facts.isPassedOn }))
        }
        for (period, regions) in seen {
            let all = regions.values.reduce(into: (observers: Set<UUID>(), visits: Set<UUID>())) { all, some in
                all.observers.formUnion(some.observers)
                all.visits.formUnion(some.visits)
            }
            observers.append(
                RangeCounts.Observers(
                    region: nil, period: period, count: all.observers.count, visits: all.visits.count))
            for case (let region?, let some) in regions {
                observers.append(
                    RangeCounts.Observers(
                        region: region, period: period, count: some.observers.count, visits: some.visits.count))
            }
        }
    }
}

extension FilteredRow {
    var place: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(uncheckedLatitude: latitude, longitude: longitude)
    }

    func candidate(_ facts: RangeFacts, fitsPeriod: Bool) -> RangeCandidate {
        var candidate = RangeCandidate()
        candidate.isCaptive = captive ?? false
        candidate.isQualified = !facts.isGuarded && ["cf", "aff"].contains(facts.qualifier)
        candidate.isPrompted = facts.isPrompted
        candidate.uncertaintyMetres = uncertainty
        candidate.hasPlace = latitude != nil
        candidate.confidence = confidence
        candidate.fitsPeriod = fitsPeriod
        candidate.isPending = status == "pending"
        return candidate
    }
}
