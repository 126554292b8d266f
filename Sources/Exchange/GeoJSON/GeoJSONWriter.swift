/// Writes a FeatureCollection feature after feature: the same features always give the same bytes.
///
/// Call `begin`, `append` for each feature, and `end`; what is in the buffer may be sent away after each call.
///
/// - Source: RFC 7946.
package struct GeoJSONWriter: Sendable {
    private let places: Int
    private var count = 0

    /// A writer of positions with `places` decimals; six are 0.11 m.
    package init(coordinatePlaces places: Int = 6) {
        self.places = places
    }

    /// Begins the collection; `members` stand before the features, in the order given.
    package mutating func begin(members: [(name: String, value: GeoJSONValue)] = [], to buffer: inout [UInt8]) {
        count = 0
        buffer.append(contentsOf: #"{"type":"FeatureCollection","#.utf8)
        for member in members {
            append(member, to: &buffer)
            buffer.append(UInt8(ascii: ","))
        }
        buffer.append(contentsOf: #""features":["#.utf8)
    }

    /// Appends one feature, on a line of its own. Nothing is appended when it throws.
    ///
    /// - Throws: `GeoJSONError.notOnEarth`, counting the features appended so far.
    package mutating func append(_ feature: GeoJSONFeature, to buffer: inout [UInt8]) throws {
        if let geometry = feature.geometry, !geometry.isOnEarth { throw GeoJSONError.notOnEarth(feature: count + 1) }
        buffer.append(contentsOf: (count == 0 ? "\n" : ",\n").utf8)
        count += 1
        buffer.append(contentsOf: #"{"type":"Feature","#.utf8)
        if let id = feature.id {
            append((name: "id", value: id), to: &buffer)
            buffer.append(UInt8(ascii: ","))
        }
        buffer.append(contentsOf: #""geometry":"#.utf8)
        append(feature.geometry, to: &buffer)
        buffer.append(contentsOf: #","properties":{"#.utf8)
        for (index, property) in feature.properties.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            append(property, to: &buffer)
        }
        buffer.append(contentsOf: "}}".utf8)
    }

    /// Ends the collection.
    package mutating func end(to buffer: inout [UInt8]) {
        buffer.append(contentsOf: (count == 0 ? "]}\n" : "\n]}\n").utf8)
    }

    private func append(_ member: (name: String, value: GeoJSONValue), to buffer: inout [UInt8]) {
        JSONText.append(member.name, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        switch member.value {
        case .string(let text): JSONText.append(text, to: &buffer)
        case .integer(let number): buffer.append(contentsOf: String(number).utf8)
        case .decimal(let number, let places): JSONText.append(number, places: places, to: &buffer)
        case .boolean(let flag): buffer.append(contentsOf: (flag ? "true" : "false").utf8)
        case .null: buffer.append(contentsOf: "null".utf8)
        }
    }

    private func append(_ geometry: GeoJSONGeometry?, to buffer: inout [UInt8]) {
        switch geometry {
        case nil:
            buffer.append(contentsOf: "null".utf8)
        case .point(let position):
            buffer.append(contentsOf: #"{"type":"Point","coordinates":"#.utf8)
            append(position, to: &buffer)
            buffer.append(UInt8(ascii: "}"))
        case .polygon(let rings):
            buffer.append(contentsOf: #"{"type":"Polygon","coordinates":"#.utf8)
            appendRings(rings, to: &buffer)
            buffer.append(UInt8(ascii: "}"))
        case .multiPolygon(let polygons):
            buffer.append(contentsOf: #"{"type":"MultiPolygon","coordinates":"#.utf8)
            appendList(polygons, to: &buffer) { rings, buffer in appendRings(rings, to: &buffer) }
            buffer.append(UInt8(ascii: "}"))
        }
    }

    private func appendRings(_ rings: [GeoJSONRing], to buffer: inout [UInt8]) {
        appendList(rings, to: &buffer) { ring, buffer in
            appendList(ring, to: &buffer) { position, buffer in append(position, to: &buffer) }
        }
    }

    private func append(_ position: GeoJSONPosition, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "["))
        JSONText.append(position.longitude, places: places, to: &buffer)
        buffer.append(UInt8(ascii: ","))
        JSONText.append(position.latitude, places: places, to: &buffer)
        buffer.append(UInt8(ascii: "]"))
    }

    private func appendList<Item>(
        _ items: [Item], to buffer: inout [UInt8], _ appendItem: (Item, inout [UInt8]) -> Void
    ) {
        buffer.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            appendItem(item, &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }
}

extension GeoJSONGeometry {
    /// True when every position is on Earth.
    fileprivate var isOnEarth: Bool {
        switch self {
        case .point(let position): position.isOnEarth
        case .polygon(let rings): rings.allSatisfy { $0.allSatisfy(\.isOnEarth) }
        case .multiPolygon(let polygons): polygons.allSatisfy { $0.allSatisfy { $0.allSatisfy(\.isOnEarth) } }
        }
    }
}
