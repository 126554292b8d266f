import Domain
import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// Which earlier photos a new one is alike to. The looks of photos are hashes here; `LikenessTests` is about pictures.
struct AlikePhotosTests {
    private static let limit = 64
    private let observer = AccountID(UUID())
    private let other = AccountID(UUID())

    /// A hash whose first bits are those of the number, and which has some more bits.
    private func hash(_ first: UInt16, bits: Int = 0) -> String {
        let rest = (0..<60).map { digit in
            let bits = min(max(bits - 4 * digit, 0), 4)
            return String((1 << bits) - 1, radix: 16)
        }
        let key = String(first, radix: 16)
        return String(repeating: "0", count: 4 - key.count) + key + rest.joined()
    }

    private func photo(
        _ id: UUID, by observer: AccountID, of sighting: UUID = UUID(), looks: [String] = []
    ) -> GeneratedEvent {
        var members: [String: JSONText] = [
            "sighting": .id(sighting), "observer": .id(observer.uuid), "ordinal": 0,
            "original": .text(id.uuidString.lowercased().filter { $0 != "-" }), "mediaType": "image/jpeg", "width": 40,
            "height": 30, "bytes": 1000, "renditions": .array([]), "perceptualHash": "0000000000000000",
            "licence": "CC-BY-4.0",
        ]
        if !looks.isEmpty { members["likeness"] = .array(looks.map(JSONText.text)) }
        return GeneratedEvent(id, "photo", "PhotoUploaded", members)
    }

    private func sought(_ looks: String, weak: Int = 0) -> SoughtPhoto {
        SoughtPhoto(
            observer: observer,
            parts: [
                SoughtPhoto.Part(hash: LikenessHash(unchecked: self.hash(0xFFFF, bits: 200)), weak: 0),
                SoughtPhoto.Part(hash: LikenessHash(unchecked: looks), weak: weak),
            ])
    }

    /// The photos that each of some new ones is alike to after some events.
    private func alike(_ events: [GeneratedEvent], _ photos: [SoughtPhoto]) async throws -> [[UUID]] {
        try await ModelFixture.run { fixture in
            try await fixture.install([.photos])
            var writer = LogWriter(fixture.owner)
            try await writer.append(events)
            try await fixture.follow([.photos])
            var found: [[UUID]] = []
            for photo in photos {
                found.append(try await PhotoQueries(fixture.pool).alike(photo, limit: Self.limit).map(\.uuid))
            }
            try await assertRebuildsEqual(.photos, fixture.pool)
            return found
        }
    }

    @Test func `another account's photo is found by first bits that are the same but for weak ones`() async throws {
        let (id, far) = (UUID(), UUID())
        let events = [
            photo(id, by: other, looks: [hash(0x7000), hash(0x1234)]),
            photo(far, by: other, looks: [hash(0x1234, bits: 65)]),
        ]
        let found = try await alike(
            events,
            [
                sought(hash(0x1234)), sought(hash(0x1234, bits: 64)), sought(hash(0x1235), weak: 1),
                sought(hash(0x1235)), sought(hash(0x9235), weak: 0x8001), sought(hash(0x9235), weak: 0x8000),
                sought(hash(0x7000, bits: 64)),
            ])
        #expect(found == [[id], [far, id], [id], [], [id], [], [id]])
    }

    @Test func `the account's own photos are found whatever their first bits are, also deleted ones`() async throws {
        let (id, deleted, others) = (UUID(), UUID(), UUID())
        let found = try await alike(
            [
                photo(id, by: observer, looks: [hash(0x1234)]), photo(deleted, by: observer, looks: [hash(0x1234)]),
                photo(others, by: other, looks: [hash(0x1234)]),
            ] + [deleted, others].map { GeneratedEvent($0, "photo", "PhotoDeleted", [:]) },
            [sought(hash(0x5235)), sought(hash(0x5235, bits: 70)), sought(hash(0x1234))])
        #expect(found == [[deleted, id], [], [deleted, id]])
    }

    @Test func `a photo of an earlier version is found once it is rendered again`() async throws {
        let renewed = UUID()
        let found = try await alike(
            [
                photo(UUID(), by: other), photo(renewed, by: other),
                GeneratedEvent(
                    renewed, "photo", "PhotoRendered",
                    ["renditions": .array([]), "likeness": .array([.text(hash(0x1234))])]),
            ],
            [sought(hash(0x1234))])
        #expect(found == [[renewed]])
    }

    @Test func `one photo of a sighting is returned, and so many own and others, approved ones first`() async throws {
        let sighting = UUID()
        let approved = UUID()
        var events = [
            photo(approved, by: other, of: sighting, looks: [hash(1)]),
            GeneratedEvent(approved, "photo", "PhotoApproved", ["moderator": .id(UUID())]),
            photo(UUID(), by: other, of: sighting, looks: [hash(1)]),
        ]
        let own = (0..<60).map { _ in UUID() }
        let others = (0..<60).map { _ in UUID() }
        events += own.map { photo($0, by: observer, looks: [hash(1)]) }
        events += others.map { photo($0, by: other, looks: [hash(1)]) }
        let most = PhotoQueries.mostAlike
        var expected = Array(others.suffix(most - 1).reversed())
        expected += own.suffix(most).reversed()
        expected.append(approved)
        #expect(try await alike(events, [sought(hash(1))]) == [expected])
    }

    @Test func `a picture that was sent any number of times costs as much as the newest of it`() async throws {
        // Also mirrored, turned and cut, it has the same first bits.
        let looks = (0..<54).map { SoughtPhoto.Part(hash: LikenessHash(unchecked: hash(0x1234, bits: $0)), weak: 31) }
        let copy = SoughtPhoto(observer: observer, parts: looks)
        try await ModelFixture.run { fixture in
            try await fixture.install([.photos])
            let approved = try await addCopies(20, of: hash(0x1234), fixture, status: "approved").map(PhotoID.init)
            for analysed in [false, true] {
                try await addCopies(10_000, of: hash(0x1234), fixture)
                if analysed { _ = try await fixture.owner.query("analyze") }
                let (found, rows) = try await work(fixture) {
                    try await PhotoQueries($0).alike(copy, limit: Self.limit)
                }
                #expect(rows < 2_000, "analysed: \(analysed)")
                #expect(found.count == PhotoQueries.mostAlike && Set(found).isSuperset(of: approved))
            }
        }
    }

    /// Rows of copies of a picture, each of another sighting, uploaded after all earlier ones.
    @discardableResult
    private func addCopies(
        _ number: Int, of looks: String, _ fixture: ModelFixture, status: String = "pending"
    ) async throws -> [UUID] {
        let schema = ReadModel.photos.schema
        let result = try await fixture.pool.query(
            """
            with added as (
                insert into \(identifier: schema).photos (
                    id, sighting, observer, ordinal, status, licence, media_type, width, height, bytes, original,
                    renditions, hash, likeness, uploaded_at, version, position)
                select gen_random_uuid(), gen_random_uuid(), \(other.uuid), 0, \(status), 'CC-BY-4.0', 'image/jpeg', 40,
                       30, 1000, md5(n::text), '[]', 0, jsonb_build_array(\(looks)::text),
                       clock_timestamp(), 1, 1
                  from generate_series(1, \(Int64(number))) n
                returning id, status, uploaded_at
            )
            insert into \(identifier: schema).likenesses (photo, hash, approved, uploaded_at)
            select id, ('x' || \(looks))::bit(256), status = 'approved', uploaded_at from added
            returning photo
            """)
        return try result.rows.map { try $0.decode("photo") }
    }

    /// The rows of the model's tables and indexes that something reads.
    private func work<Value: Sendable>(
        _ fixture: ModelFixture, _ body: @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> (Value, Int64) {
        try await fixture.pool.transaction { connection in
            let value = try await body(connection)
            let rows = try await connection.query(
                """
                select sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::bigint
                       as rows
                  from pg_class c where c.relnamespace = to_regnamespace(\(ReadModel.photos.schema))
                """)
            return (value, try rows.onlyRow().decode("rows"))
        }
    }
}
