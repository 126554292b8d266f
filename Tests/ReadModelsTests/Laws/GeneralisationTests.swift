import Domain
import EventLog
import Postgres
import ReadModels
import TestRandom
import TestSupport
import Testing

/// The database generalises places with the same arithmetic as the domain.
struct GeneralisationTests {
    @Test func `cells are the domains`() async throws {
        try await ModelFixture.run { fixture in
            try await fixture.build(.sightingsPublic, in: "trial")
            var random = RandomSource(seed: 11)
            var places: [(Double, Double)] = [(90, 180), (-90, -180), (0.1, -0.1), (47.3, -122.7), (0.7 + 0.1, 0.3)]
            for _ in 0..<2_000 {
                let scale = random.element(of: [10, 1_000, 1e5, 1e6, 1e7, 1e9] as [Double])
                places.append(
                    (
                        (random.double(in: -90...90) * scale).rounded() / scale,
                        (random.double(in: -180...180) * scale).rounded() / scale
                    ))
            }
            for (category, decimals) in [(2, 1), (3, 2), (4, 3)] {
                let cells = try await Self.generalised(places, Int16(category), fixture)
                for ((latitude, longitude), cell) in zip(places, cells) {
                    let expected = GridCell(
                        containing: Coordinate(uncheckedLatitude: latitude, longitude: longitude), decimals: decimals)
                    #expect(cell.latitude == expected.centre.latitude && cell.longitude == expected.centre.longitude)
                    #expect(abs(cell.uncertainty - expected.uncertaintyMetres) <= 1, "\(latitude), \(longitude)")
                }
            }
        }
    }

    private static func generalised(
        _ places: [(Double, Double)], _ category: Int16, _ fixture: ModelFixture
    ) async throws -> [(latitude: Double, longitude: Double, uncertainty: Double)] {
        try await fixture.pool.transaction { connection in
            _ = try await connection.query("set local search_path = trial, public")
            let result = try await connection.query(
                """
                select (g.place ->> 'latitude')::float8 as latitude, (g.place ->> 'longitude')::float8 as longitude,
                       (g.place ->> 'uncertaintyMetres')::float8 as uncertainty
                  from unnest(\(places.map(\.0)), \(places.map(\.1))) with ordinality p (latitude, longitude, number)
                 cross join lateral generalised(
                        jsonb_build_object('latitude', p.latitude, 'longitude', p.longitude), \(category), 0::smallint)
                        g (place)
                 order by p.number
                """)
            return try result.rows.map {
                (try $0.decode("latitude"), try $0.decode("longitude"), try $0.decode("uncertainty"))
            }
        }
    }
}
