import Testing

@testable import Exchange

struct GeoJSONTests {
    private let square: GeoJSONRing = [(0, 0), (1, 0), (1, 1), (0, 0)].map {
        GeoJSONPosition(longitude: $0, latitude: $1)
    }

    @Test func `areas are read`() throws {
        let text = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"one","n":7,"l":[1]},
            "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1,20.5],[0,0]]]}},
            {"type":"Feature","properties":{"x":0.5,"b":false,"z":null},
            "geometry":{"type":"MultiPolygon","coordinates":[
            [[[0,0],[1,0],[1,1],[0,0]],[[0,0],[1,0],[1,1],[0,0]]],[[[0,0],[1,0],[1,1],[0,0]]]]}}]}
            """
        let areas = try GeoJSONReader.areas(in: Array(text.utf8))
        #expect(
            areas == [
                .init(properties: ["name": "one", "n": "7"], polygons: [[square]]),
                .init(properties: ["x": "0.5", "b": "false"], polygons: [[square, square], [square]]),
            ])
    }

    @Test(arguments: [
        (#"{"type":"Point","coordinates":[0,0]}"#, GeoJSONError.unsupportedGeometry(feature: 1, type: "Point")),
        ("null", .unsupportedGeometry(feature: 1, type: "feature without geometry")),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#, .openRing(feature: 1)),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}"#, .openRing(feature: 1)),
        (#"{"type":"Polygon","coordinates":[[[0],[1,0],[1,1],[0,0]]]}"#, .notOnEarth(feature: 1)),
        (#"{"type":"Polygon","coordinates":[[[0,0],[181,0],[1,1],[0,0]]]}"#, .notOnEarth(feature: 1)),
    ])
    func `faults`(_ geometry: String, error: GeoJSONError) {
        let text =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":\#(geometry)}]}"#
        #expect(throws: error) { try GeoJSONReader.areas(in: Array(text.utf8)) }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"type":"Feature","features":[]}"#, #"{"type":"FeatureCollection","features":{}}"#,
    ])
    func `other documents are errors`(_ text: String) {
        #expect {
            try GeoJSONReader.areas(in: Array(text.utf8))
        } throws: { error in
            guard case .malformed = error as? GeoJSONError else { return false }
            return true
        }
    }

    @Test(
        .enabled(if: TestData.isPresent, "\(TestData.absence)"),
        arguments: [("ne_110m_countries", 177), ("ne_50m_us_states", 51), ("ne_50m_admin1_us_ca_br_au", 100)])
    func `reference areas`(_ name: String, count: Int) throws {
        let areas = try GeoJSONReader.areas(in: TestData.bytes("boundaries/\(name).geojson"))
        #expect(areas.count == count)
        #expect(areas.allSatisfy { !$0.polygons.isEmpty && !$0.properties.isEmpty })
    }
}
