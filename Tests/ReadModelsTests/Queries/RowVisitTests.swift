import EventLog
import FoundationEssentials
import Postgres
import ReadModels
import TestSupport
import Testing

/// Which public rows have the visit of an imported row.
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
