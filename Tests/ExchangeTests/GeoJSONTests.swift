import Foundation
import Testing

@testable import Exchange

@Suite("GeoJSON")
struct GeoJSONTests {
    private let square: GeoJSONRing = [(0, 0), (1, 0), (1, 1), (0, 0)].map {
        GeoJSONPosition(longitude: $0, latitude: $1)
    }

    private func text(_ features: [GeoJSONFeature], members: [(name: String, value: GeoJSONValue)] = []) throws
        -> String
    {
        var writer = GeoJSONWriter(coordinatePlaces: 2)
        var buffer: [UInt8] = []
        writer.begin(members: members, to: &buffer)
        for feature in features { try writer.append(feature, to: &buffer) }
        writer.end(to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    private func number(_ value: Double, _ places: Int) -> String {
        var buffer: [UInt8] = []
        JSONText.append(value, places: places, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    @Test func bytes() throws {
        let point = GeoJSONFeature(
            id: .string("a"), geometry: .point(.init(longitude: -134.29581, latitude: 58.245456)),
            properties: [
                ("records", .integer(1)), ("name", .string("é \"x\"\n\u{1}")), ("km", .decimal(1.5, places: 3)),
                ("open", .boolean(true)), ("none", .null), ("nan", .decimal(.nan, places: 1)),
            ])
        let area = GeoJSONFeature(geometry: .polygon([square]))
        let expected = """
            {"type":"FeatureCollection","total":2,"features":[
            {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[-134.30,58.25]},\
            "properties":{"records":1,"name":"é \\"x\\"\\n\\u0001","km":1.500,"open":true,"none":null,"nan":null}},
            {"type":"Feature","geometry":{"type":"Polygon",\
            "coordinates":[[[0.00,0.00],[1.00,0.00],[1.00,1.00],[0.00,0.00]]]},\
            "properties":{}}
            ]}

            """
        #expect(try text([point, area], members: [("total", .integer(2))]) == expected)
        #expect(try text([]) == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
    }

    @Test func numbers() {
        #expect(number(0, 2) == "0.00" && number(-0.001, 2) == "0.00" && number(-0.005, 2) == "-0.01")
        #expect(number(2.5, 0) == "3" && number(-179.9999999, 6) == "-180.000000" && number(1.05, 1) == "1.1")
        #expect(number(1e300, 6) == "1e+300" && number(.infinity, 2) == "null" && number(12, 99) == "12.0")
    }

    @Test func numbersReadBackWithinHalfAUnit() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<5_000 {
            let value = Double.random(in: -180...180, using: &generator)
            let places = Int.random(in: 0...9, using: &generator)
            let back = try #require(Double(number(value, places)))
            #expect(abs(back - value) <= 0.500001 * pow(10, -Double(places)))
        }
    }

    @Test func whatIsWrittenIsRead() throws {
        let features = [
            GeoJSONFeature(geometry: .polygon([square]), properties: [("name", .string("one")), ("n", .integer(7))]),
            GeoJSONFeature(
                geometry: .multiPolygon([[square, square], [square]]),
                properties: [("x", .decimal(0.5, places: 1)), ("b", .boolean(false)), ("z", .null)]),
        ]
        let areas = try GeoJSONReader.areas(in: Array(text(features).utf8))
        #expect(
            areas == [
                .init(properties: ["name": "one", "n": "7"], polygons: [[square]]),
                .init(properties: ["x": "0.5", "b": "false"], polygons: [[square, square], [square]]),
            ])
    }

    @Test func placesOffEarthAreNotWritten() throws {
        for position in [GeoJSONPosition(longitude: .nan, latitude: 0), .init(longitude: 0, latitude: 91)] {
            #expect(throws: GeoJSONError.notOnEarth(feature: 1)) {
                try text([GeoJSONFeature(geometry: .point(position))])
            }
        }
    }

    @Test(arguments: [
        (#"{"type":"Point","coordinates":[0,0]}"#, GeoJSONError.unsupportedGeometry(feature: 1, type: "Point")),
        ("null", .unsupportedGeometry(feature: 1, type: "feature without geometry")),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#, .openRing(feature: 1)),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}"#, .openRing(feature: 1)),
        (#"{"type":"Polygon","coordinates":[[[0],[1,0],[1,1],[0,0]]]}"#, .notOnEarth(feature: 1)),
        (#"{"type":"Polygon","coordinates":[[[0,0],[181,0],[1,1],[0,0]]]}"#, .notOnEarth(feature: 1)),
    ])
    func faults(_ geometry: String, error: GeoJSONError) {
        let text =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":\#(geometry)}]}"#
        #expect(throws: error) { try GeoJSONReader.areas(in: Array(text.utf8)) }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"type":"Feature","features":[]}"#, #"{"type":"FeatureCollection","features":{}}"#,
    ])
    func otherDocumentsAreErrors(_ text: String) {
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
    func referenceAreas(_ name: String, count: Int) throws {
        let areas = try GeoJSONReader.areas(in: TestData.bytes("boundaries/\(name).geojson"))
        #expect(areas.count == count)
        #expect(areas.allSatisfy { !$0.polygons.isEmpty && !$0.properties.isEmpty })
    }
}
