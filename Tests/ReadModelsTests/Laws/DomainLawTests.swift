import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// The folds and the domain compute the same state of a stream, event by event.
struct DomainLawTests {
    @Test(arguments: RandomSource.seeds(3))
    func `sightings`(seed: UInt64) async throws {
        try await Self.run(seed) { fixture, streams in
            let queries = FindingQueries(fixture.pool)
            let erased = Set(
                streams.filter { $0.value.contains { $0.type == AccountErased.type } }.keys.map { AccountID($0) })
            var compared = 0
            for (id, events) in streams where events[0].type.hasPrefix("Sighting") {
                var state = SightingState()
                let history = try await queries.history(of: SightingID(id))
                #expect(history.map(\.version) == events.map(\.version))
                for (row, event) in zip(history, events) {
                    state.evolve(try SightingEvent(type: event.type, payload: Array(event.payload.utf8)))
                    #expect(row.position == event.position)
                    guard !state.isRedacted else { continue }
                    Self.compare(row, state, erased)
                    compared += 1
                }
            }
            #expect(compared > 40 || !RandomSource.isFixed(seed))
        }
    }

    private static func compare(_ row: ExactSighting, _ state: SightingState, _ erased: Set<AccountID>) {
        guard let record = state.record else {
            Issue.record("no record")
            return
        }
        #expect(row.status == state.status)
        #expect(row.withdrawal == state.withdrawal)
        #expect(row.sensitivity == state.sensitivity)
        let isErased = record.observer.map(erased.contains) ?? false
        #expect(row.observer == (isErased ? nil : record.observer))
        #expect(row.dataset == record.dataset && row.batch == record.batch)
        #expect(row.occurrence == record.occurrence)
        #expect(row.taxon == record.identification.taxon && row.qualifier == record.identification.qualifier)
        var details = record.details
        (details.place.stateCell, details.place.regionCell, details.place.countryCell) = (nil, nil, nil)
        if isErased { details.visit = nil }
        #expect(row.details == details)
        #expect(row.promptedBy == record.promptedBy && row.awaitedPhotos == record.awaitedPhotos)
    }

    @Test(arguments: RandomSource.seeds(3))
    func `taxa`(seed: UInt64) async throws {
        try await Self.run(seed) { fixture, streams in
            let changes = try await TaxonQueries(fixture.pool).changes()
            let rows = Dictionary(uniqueKeysWithValues: changes.taxa.map { ($0.entry.id.uuid, $0) })
            for (id, events) in streams where events[0].type == "TaxonAdded" {
                var state = TaxonState()
                for event in events {
                    state.evolve(try TaxonEvent(type: event.type, payload: Array(event.payload.utf8)))
                }
                let row = rows[id]
                #expect(row?.entry == state.taxon.map { TaxonEntry(TaxonID(id), $0) })
                #expect(row?.authorship == state.taxon?.authorship?.text)
                #expect(row?.description == state.taxon?.description?.text && row?.link == state.taxon?.link?.text)
                guard let row else { continue }
                #expect(row.version == events.count && row.position == events.last?.position)
                #expect(row.sensitivityReason == state.taxon?.sensitivity.reason?.text)
            }
            #expect(changes.position == streams.values.flatMap { $0 }.map(\.position).max())
        }
    }

    /// Redacted payloads are tombstones at every position.
    @Test(arguments: RandomSource.seeds(3))
    func `names and parents of taxa, as of every position`(seed: UInt64) async throws {
        try await Self.run(seed) { fixture, streams in
            let queries = DatedTaxonQueries(fixture.pool)
            let taxa = streams.filter { $0.value[0].type == "TaxonAdded" }
            let ids = Set(taxa.keys.map { TaxonID($0) })
            let head = streams.values.flatMap { $0 }.map(\.position).max() ?? 0
            var named = 0
            for position in taxa.values.flatMap({ $0 }).map(\.position) + [head] {
                let found = try await queries.taxa(ids, asOf: position)
                for (id, events) in taxa {
                    var state = TaxonState()
                    for event in events where event.position <= position {
                        state.evolve(try TaxonEvent(type: event.type, payload: Array(event.payload.utf8)))
                    }
                    let taxon = found[TaxonID(id)]
                    #expect(taxon?.summary == state.taxon.map { Self.summary(TaxonID(id), $0) }, "\(id), \(position)")
                    #expect(taxon?.authorship == state.taxon?.authorship?.text)
                    named += taxon == nil ? 0 : 1
                }
            }
            #expect(named > 20 || !RandomSource.isFixed(seed))
        }
    }

    private static func summary(_ id: TaxonID, _ taxon: TaxonState.Taxon) -> TaxonSummary {
        TaxonSummary(
            id: id, scientificName: taxon.scientificName.text, commonName: taxon.preferredName(in: .english)?.text,
            rank: taxon.rank, kind: taxon.kind, parent: taxon.parent)
    }

    @Test(arguments: RandomSource.seeds(3))
    func `accounts`(seed: UInt64) async throws {
        try await Self.run(seed) { fixture, streams in
            for (id, events) in streams where events[0].type == "AccountRegistered" {
                var state = AccountState()
                for event in events {
                    state.evolve(try AccountEvent(type: event.type, payload: Array(event.payload.utf8)))
                }
                let row = try await fixture.pool.query(
                    """
                    select observer, state, licence, language, roles, suspended, version, position
                      from \(identifier: ReadModel.accounts.schema).accounts where id = \(id)
                    """
                ).onlyRow()
                #expect(try row.decode("observer", as: UUID?.self) == state.registration?.observer.uuid)
                #expect(try row.decode("state", as: String?.self) == state.settings?.state?.text)
                #expect(try row.decode("licence", as: String?.self) == state.settings?.licence.rawValue)
                #expect(try row.decode("language", as: String?.self) == state.settings?.language?.text)
                #expect(try row.decode("suspended", as: Bool.self) == (state.suspension != nil))
                #expect(try row.decode("roles", as: [String].self) == state.roles.map(\.rawValue).sorted())
                #expect(try row.decode("version", as: Int.self) == events.count)
                #expect(try row.decode("position", as: Int64.self) == events.last?.position)
            }
        }
    }

    @Test(arguments: RandomSource.seeds(3))
    func `what is public of an account, by what was known and the restrictions since`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        let draws = (0..<20).map { _ in (random.int(in: 0...100), random.int(in: 0...100)) }
        try await Self.run(seed) { fixture, streams in
            let head = streams.values.flatMap { $0 }.map(\.position).max() ?? 0
            for (id, events) in streams where events[0].type == "AccountRegistered" {
                for (first, second) in draws {
                    let known = head * Int64(min(first, second)) / 100
                    let shown = head * Int64(max(first, second)) / 100
                    guard known >= events[0].position else { continue }
                    // Without a registration nothing public names the account.
                    guard let settings = try Self.replay(events, known: known, shown: shown).settings else { continue }
                    let moment = PublicMoment(known: known, shown: shown)
                    let row = try await fixture.pool.query(
                        """
                        select \(fragment: Publicity.name.isShown(of: "\(id)", asOf: moment)) as name,
                               \(fragment: Publicity.gallery.isShown(of: "\(id)", asOf: moment)) as gallery
                        """
                    ).onlyRow()
                    #expect(try row.decode("name", as: Bool.self) == (settings.attribution == .displayName))
                    #expect(try row.decode("gallery", as: Bool.self) == settings.publicGallery)
                }
            }
        }
    }

    /// The events up to one position, then the restrictions up to another.
    private static func replay(_ events: [RecordedEvent], known: Int64, shown: Int64) throws -> AccountState {
        var state = AccountState()
        for event in events where event.position <= shown {
            let isRestriction = try AccountEvent.description(of: event.type).effect == .restriction
            guard event.position <= known || isRestriction else { continue }
            state.evolve(try AccountEvent(type: event.type, payload: Array(event.payload.utf8)))
        }
        return state
    }

    /// Appends a history, folds it into installed models, and hands out its streams.
    private static func run(
        _ seed: UInt64, _ body: @Sendable (ModelFixture, [UUID: [RecordedEvent]]) async throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(ReadModel.all)
            try await fixture.write(seed: seed, steps: 70)
            try await fixture.follow(ReadModel.all)
            try await body(fixture, Dictionary(grouping: try await fixture.events(), by: \.stream))
        }
    }
}
