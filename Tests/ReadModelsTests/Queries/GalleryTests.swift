import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// Public galleries, page by page, against a scan of all public photos.
struct GalleryTests {
    private static let models: [ReadModel] = [.accounts, .taxa, .sightingsPublic]
    private static let regions = ["rockies", "hawaii"]

    /// A taxon with others below it, and one beside it.
    private let root = UUID()
    private let middle = UUID()
    private let beside = UUID()
    private let leaves = (0..<9).map { _ in UUID() }
    private let observer = UUID()

    @Test(arguments: RandomSource.seeds(2))
    func `pages have every photo of a taxon and all below it once, the newest first`(seed: UInt64) async throws {
        try await run(seed) { fixture, moment in
            let below = try await all(fixture, "s.taxon <> \(beside)")
            #expect(below.count > 40 || !RandomSource.isFixed(seed))
            for limit in [1, 7, 500] {
                let page = PublicPhotoQueries.Page(limit: limit)
                #expect(try await pages(.taxon(TaxonID(root)), page, fixture, moment) == below)
            }
            let inMiddle = try await all(fixture, "s.taxon = any(\(Array(leaves.prefix(4))))")
            let page = PublicPhotoQueries.Page(limit: 5)
            #expect(try await pages(.taxon(TaxonID(middle)), page, fixture, moment) == inMiddle)
            #expect(try await pages(.taxon(TaxonID(UUID())), page, fixture, moment).isEmpty)
        }
    }

    @Test func `galleries by kind and by public region`() async throws {
        try await run(3) { fixture, moment in
            let account = try await fixture.pool.query(
                "select observer from \(identifier: ReadModel.sightingsPublic.schema).observers")
            let publicID = ObserverID(try account.onlyRow().decode("observer", as: UUID.self))
            let galleries: [PublicPhotoQueries.Gallery] = [.taxon(TaxonID(root)), .observer(publicID)]
            for gallery in galleries {
                let own: SQL =
                    gallery == galleries[0] ? "s.taxon <> \(beside)" : "not s.guarded and s.observer is not null"
                var page = PublicPhotoQueries.Page(limit: 4)
                let everything = try await pages(gallery, page, fixture, moment)
                page.region = try RegionCode(Self.regions[0])
                let regional = try await pages(gallery, page, fixture, moment)
                #expect(
                    try await regional
                        == all(fixture, "\(fragment: own) and not s.guarded and s.region = \(Self.regions[0])"))
                page.kind = .mammal
                let mammals = try await pages(gallery, page, fixture, moment)
                #expect(mammals == regional.filter { $0.taxon == leaves[0] })
                #expect(Set([everything.count, regional.count, mammals.count, 0]).count == 4)
            }
        }
    }

    /// A photo in the order of galleries.
    private struct Shown: Equatable {
        let published: CivilDate
        let id: PhotoID
        let taxon: UUID?
    }

    /// Sightings of one observer, some private, each with a photo that is approved, on several days.
    private func run(
        _ seed: UInt64, _ body: @Sendable (ModelFixture, PublicMoment) async throws -> Void
    ) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install(Self.models)
            var (random, writer) = (RandomSource(seed: seed), LogWriter(fixture.owner))
            var reviews = RandomReviews(random: random)
            var events = [Sightings.taxon(root), Sightings.taxon(middle, parent: root), Sightings.taxon(beside)]
            for (index, leaf) in leaves.enumerated() {
                let parent = index < 4 ? middle : root
                events.append(Sightings.taxon(leaf, parent: parent, kind: index == 0 ? "mammal" : "bird"))
            }
            events.append(
                GeneratedEvent(
                    observer, "account", "AccountRegistered",
                    ["observer": .id(UUID()), "licence": "CC-BY-4.0", "geoprivacy": "open", "attribution": "anonymous"]
                ))
            for _ in 0..<80 {
                let (sighting, photo) = (UUID(), UUID())
                events += [
                    Sightings.submitted(
                        sighting, by: observer, taxon: random.element(of: leaves + [leaves[0], beside]),
                        geoprivacy: random.isTrue(oneIn: 5) ? "private" : "open",
                        region: random.element(of: Self.regions)),
                    reviews.upload(photo, to: sighting, by: observer, ordinal: 0),
                    GeneratedEvent(photo, "photo", "PhotoApproved", ["moderator": .id(UUID())]),
                ]
            }
            try await writer.append(events)
            try await fixture.follow(Self.models)
            _ = try await fixture.pool.query(
                """
                update \(fragment: PublicPhotoQueries.table)
                   set published = published - (('x' || left(s.id::text, 2))::bit(8)::integer % 5)
                """)
            try await body(fixture, PublicMoment(known: writer.head, shown: writer.head))
        }
    }

    /// All pages, one after the other.
    private func pages(
        _ gallery: PublicPhotoQueries.Gallery, _ first: PublicPhotoQueries.Page, _ fixture: ModelFixture,
        _ moment: PublicMoment
    ) async throws -> [Shown] {
        var (page, found): (_, [Shown]) = (first, [])
        repeat {
            let photos = try await PublicPhotoQueries(fixture.pool).gallery(
                gallery, page, asOf: moment, and: "null as nothing")
            found += photos.items.map(\.photo).map {
                Shown(published: $0.published, id: $0.id, taxon: $0.taxon?.uuid)
            }
            page.after = photos.next
        } while page.after != nil
        return found
    }

    private func all(_ fixture: ModelFixture, _ condition: SQL) async throws -> [Shown] {
        let result = try await fixture.pool.query(
            """
            select s.published::text as published, s.id, s.taxon from \(fragment: PublicPhotoQueries.table)
             where \(fragment: condition) order by s.published desc, s.id
            """)
        return try result.rows.map { row in
            Shown(
                published: try CivilDate(try row.decode("published", as: String.self)),
                id: PhotoID(try row.decode("id", as: UUID.self)), taxon: try row.decode("taxon"))
        }
    }
}
