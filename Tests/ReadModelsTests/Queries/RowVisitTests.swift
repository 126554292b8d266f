import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// Which public rows have the visit of an imported row, or of a sighting, and say whether it was prompted.
struct RowVisitTests {
    private struct Row: Hashable {
        let version: Int
        let visit: UUID?
        let isComplete: Bool?
    }

    private func rows(_ fixture: ModelFixture) async throws -> [Row] {
        let result = try await fixture.pool.query(
            """
            select r.version, r.visit, r.visit_complete as complete
              from \(identifier: ReadModel.sightingsPublic.schema).records r
             order by r.version
            """)
        return try result.rows.map { row in
            Row(
                version: try row.decode("version"), visit: try row.decode("visit"),
                isComplete: try row.decode("complete"))
        }
    }

    private func imported(_ members: [String: JSONText] = [:]) -> GeneratedEvent {
        var members = members
        members["dataset"] = .id(UUID())
        members["batch"] = .id(UUID())
        members["latitude"] = 61
        members["longitude"] = -150
        members["captive"] = false
        members["occurrence"] = .text(String(repeating: "ab", count: 16))
        members["place"] = ["basis": "none", "polygons": "ne-50m-v1"]
        members["observed"] = [
            "value": "2025-05-01", "precision": "day", "zone": "UTC", "from": "2025-05-01T00:00:00Z",
            "to": "2025-05-02T00:00:00Z", "localFrom": "2025-05-01", "localTo": "2025-05-01",
        ]
        return GeneratedEvent(UUID(), "sighting", "SightingImported", members)
    }

    @Test func `an open and exact record has the visit that was noted last`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var writer = LogWriter(fixture.owner)
            let (first, second) = (UUID(), UUID())
            let record = imported()
            try await writer.append([
                record, Sightings.corrected(record.stream, ["rowVisit": ["id": .id(first), "complete": true]]),
                Sightings.corrected(record.stream, ["count": 3]),
                Sightings.corrected(record.stream, ["rowVisit": ["id": .id(second)]]),
                Sightings.corrected(record.stream, ["rowVisit": .null]),
            ])
            try await fixture.follow([.sightingsPublic])
            #expect(
                try await rows(fixture) == [
                    Row(version: 1, visit: nil, isComplete: nil), Row(version: 2, visit: first, isComplete: true),
                    Row(version: 3, visit: first, isComplete: true), Row(version: 4, visit: second, isComplete: nil),
                    Row(version: 5, visit: nil, isComplete: nil),
                ])
        }
    }

    private struct Outing: Hashable {
        let visit: UUID?
        let isComplete: Bool?
        let minutes: Int?
        let distance: Double?
        let observers: Int?
        let isPrompted: Bool?

        static let none = Outing(
            visit: nil, isComplete: nil, minutes: nil, distance: nil, observers: nil, isPrompted: nil)
    }

    /// The present row of each sighting, whatever its public id.
    private func outings(_ fixture: ModelFixture) async throws -> [UUID: Outing] {
        let schema = ReadModel.sightingsPublic.schema
        let result = try await fixture.pool.query(
            """
            select coalesce(o.stream, r.id) as stream, r.visit, r.visit_complete, r.visit_minutes, r.visit_distance,
                   r.visit_observers, r.prompted
              from \(identifier: schema).records r left join \(identifier: schema).origins o on o.id = r.id
             where upper_inf(r.valid) and upper_inf(r.shown) and r.kind = 'record'
            """)
        var found: [UUID: Outing] = [:]
        for row in result.rows {
            found[try row.decode("stream")] = Outing(
                visit: try row.decode("visit"), isComplete: try row.decode("visit_complete"),
                minutes: try row.decode("visit_minutes"), distance: try row.decode("visit_distance"),
                observers: try row.decode("visit_observers"), isPrompted: try row.decode("prompted"))
        }
        return found
    }

    private func account(_ id: UUID) -> GeneratedEvent {
        GeneratedEvent(id, "account", "AccountRegistered", ["observer": .id(UUID()), "roles": .array(["birder"])])
    }

    @Test func `the sightings of an outing have one id, which is not the outing's`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var writer = LogWriter(fixture.owner)
            let (one, other, id) = (UUID(), UUID(), UUID())
            let visit: JSONText = [
                "id": .id(id), "startedAt": "2026-05-01T07:00:00Z", "minutes": 45, "distanceKm": 1.5, "observers": 2,
                "complete": true,
            ]
            let partial: JSONText = ["id": .id(id), "startedAt": "2026-05-01T07:00:00Z", "complete": false]
            let own = (0..<2).map { _ in Sightings.submitted(by: one, visit: visit) }
            let same = Sightings.submitted(by: other, visit: partial)
            let alone = Sightings.submitted(by: one)
            let stranger = Sightings.submitted(by: UUID(), visit: visit)
            let prompted = GeneratedEvent(
                alone.stream, "sighting", "SightingSubmitted",
                payload: String(alone.payload.dropLast()) + #","promptedBy":"\#(UUID().uuidString.lowercased())"}"#)
            try await writer.append([account(one), account(other)] + own + [same, prompted, stranger])
            try await fixture.follow([.sightingsPublic])
            let found = try await outings(fixture)
            let first = try #require(found[own[0].stream])
            let shared = try #require(first.visit)
            #expect(![id, one].contains(shared) && found[own[1].stream] == first)
            #expect(
                first
                    == Outing(
                        visit: shared, isComplete: true, minutes: 45, distance: 1.5, observers: 2, isPrompted: false))
            let second = try #require(found[same.stream])
            #expect(second.visit != nil && second.visit != shared && second.isComplete == nil)
            #expect(second.minutes == nil && second.isPrompted == false)
            #expect(found[alone.stream]?.visit == nil && found[alone.stream]?.isPrompted == true)
            // No visit without a registration.
            #expect(found[stranger.stream]?.visit == nil)
        }
    }

    /// With one of them, others would find the visit by its id, or the region by the target.
    @Test func `a generalised sighting shows neither its visit nor what prompted it`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var writer = LogWriter(fixture.owner)
            let (observer, id) = (UUID(), UUID())
            let visit: JSONText = [
                "id": .id(id), "startedAt": "2026-05-01T07:00:00Z", "minutes": 45, "complete": true,
            ]
            func prompted(sensitivity: Int? = nil, geoprivacy: String = "open") -> GeneratedEvent {
                let event = Sightings.submitted(
                    by: observer, sensitivity: sensitivity, geoprivacy: geoprivacy, visit: visit)
                return GeneratedEvent(
                    event.stream, event.kind, event.type,
                    payload: String(event.payload.dropLast()) + #","promptedBy":"\#(id.uuidString.lowercased())"}"#)
            }
            let hidden =
                [2, 3, 4].map { prompted(sensitivity: $0) }
                + ["obscured", "private"].map { prompted(geoprivacy: $0) }
            let narrowed = prompted()
            try await writer.append([account(observer)] + hidden + [narrowed])
            try await fixture.follow([.sightingsPublic])
            #expect(try await outings(fixture)[narrowed.stream]?.isPrompted == true)
            try await writer.append([
                GeneratedEvent(
                    narrowed.stream, "sighting", "SightingGeoprivacyNarrowed", ["geoprivacy": "obscured"])
            ])
            try await fixture.follow([.sightingsPublic])
            let found = try await outings(fixture)
            #expect(found.count == 6 && Set(found.values) == [.none])
        }
    }

    @Test func `no visit joins the sightings of an erased account`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var writer = LogWriter(fixture.owner)
            let (leaver, other) = (UUID(), UUID())
            let visit: JSONText = ["id": .id(UUID()), "startedAt": "2026-05-01T07:00:00Z", "minutes": 45]
            let own = (0..<3).map { _ in Sightings.submitted(by: leaver, visit: visit) }
            let kept = Sightings.submitted(by: other, visit: visit)
            try await writer.append(
                [account(leaver), account(other)] + own + [kept, Sightings.corrected(own[0].stream, ["count": 2])])
            try await fixture.follow([.sightingsPublic])
            #expect(try await outings(fixture)[own[0].stream]?.visit != nil)
            try await writer.append([GeneratedEvent(leaver, "account", "AccountErased", ["sightings": "keep"])])
            try await fixture.follow([.sightingsPublic])
            // What happens to a sighting later does not bring it back.
            try await writer.append([Sightings.corrected(own[1].stream, ["count": 3])])
            try await fixture.follow([.sightingsPublic])
            let found = try await outings(fixture)
            #expect(own.allSatisfy { found[$0.stream]?.visit == nil && found[$0.stream]?.minutes == nil })
            #expect(found[kept.stream]?.visit != nil)
            let schema = ReadModel.sightingsPublic.schema
            let rows = try await fixture.pool.query(
                "select count(distinct r.id) as records from \(identifier: schema).records r where r.visit is not null"
            ).onlyRow()
            #expect(try rows.decode("records", as: Int64.self) == 1)
            try await assertRebuildsEqual(.sightingsPublic, fixture.pool, batches: [1, .max])
        }
    }

    /// Other records of a visit would tell on which side of a border, or at which point, a hidden one lies.
    @Test(arguments: [2, 3, 4])
    func `a record with a category has no visit, also where it gets the category later`(category: Int) async throws {
        try await ModelFixture.run { fixture in
            try await fixture.install([.sightingsPublic])
            var writer = LogWriter(fixture.owner)
            let visit: JSONText = ["id": .id(UUID()), "complete": true]
            let taxon = UUID()
            let sensitive = imported(["rowVisit": visit, "sensitivity": .number(category)])
            let known = imported(["rowVisit": visit, "taxon": .id(taxon)])
            try await writer.append([
                Sightings.taxon(taxon), sensitive, Sightings.corrected(sensitive.stream, ["rowVisit": visit]), known,
                GeneratedEvent(
                    taxon, "taxon", "TaxonSensitivitySet",
                    ["category": .number(category), "reason": "nests", "source": "a list"]),
            ])
            try await fixture.follow([.sightingsPublic])
            let visits = try await fixture.pool.query(
                """
                select count(*) filter (where r.visit is not null or r.visit_complete is not null) as shown,
                       count(*) as records
                  from \(identifier: ReadModel.sightingsPublic.schema).records r
                 where upper_inf(r.shown) and r.kind = 'record'
                """
            ).onlyRow()
            #expect(try visits.decode("shown", as: Int64.self) == 0)
            #expect(try visits.decode("records", as: Int64.self) > 0)
        }
    }
}
