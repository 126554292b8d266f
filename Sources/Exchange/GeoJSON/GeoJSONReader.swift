import FoundationEssentials

/// An area read from a reference file.
package struct GeoJSONArea: Sendable, Equatable {
    /// The feature's properties as text; numbers and truth values in JSON's own form, null and what is nested left out.
    package let properties: [String: String]
    /// Polygons, each an outer ring and holes. Rings are closed and on Earth; whether they cross themselves is not
    /// looked at.
    package let polygons: [[GeoJSONRing]]
}

/// Reads reference areas: a FeatureCollection of Polygons and MultiPolygons, which is held in memory.
///
/// - Source: RFC 7946; a third coordinate (height) is passed over.
package enum GeoJSONReader {
    /// Reads the areas in `document`, in its order.
    ///
    /// - Throws: `GeoJSONError.malformed`, `.unsupportedGeometry`, `.notOnEarth`, `.openRing`.
    package static func areas(in document: [UInt8]) throws -> [GeoJSONArea] {
        let collection: Collection
        do {
            collection = try JSONDecoder().decode(Collection.self, from: Data(document))
        } catch let error as DecodingError {
            throw GeoJSONError.malformed(reason: reason(of: error))
        }
        guard collection.type == "FeatureCollection" else {
            throw GeoJSONError.malformed(reason: "its type is \(collection.type)")
        }
        return try collection.features.enumerated().map { try area(of: $1, number: $0 + 1) }
    }

    private static func area(of feature: Feature, number: Int) throws -> GeoJSONArea {
        let polygons: [[GeoJSONRing]]
        switch feature.geometry {
        case nil: throw GeoJSONError.unsupportedGeometry(feature: number, type: "feature without geometry")
        case .other(let type): throw GeoJSONError.unsupportedGeometry(feature: number, type: type)
        case .areas(let coordinates):
            polygons = try coordinates.map { try $0.map { try ring(of: $0, number: number) } }
        }
        let properties = (feature.properties ?? [:]).compactMapValues(\.text)
        return GeoJSONArea(properties: properties, polygons: polygons)
    }

    private static func ring(of coordinates: [[Double]], number: Int) throws -> GeoJSONRing {
        let ring = try coordinates.map { pair in
            guard pair.count >= 2 else { throw GeoJSONError.notOnEarth(feature: number) }
            let position = GeoJSONPosition(longitude: pair[0], latitude: pair[1])
            guard position.isOnEarth else { throw GeoJSONError.notOnEarth(feature: number) }
            return position
        }
        guard ring.count >= 4, ring.first == ring.last else { throw GeoJSONError.openRing(feature: number) }
        return ring
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "the member \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "no valid JSON of this form"
                : "unexpected value at \(context.codingPath.map(\.stringValue).joined(separator: "/"))"
        @unknown default: "no valid JSON of this form"
        }
    }
}

// MARK: - The document

extension GeoJSONReader {
    private struct Collection: Decodable {
        let type: String
        let features: [Feature]
    }

    private struct Feature: Decodable {
        let properties: [String: Property]?
        let geometry: Geometry?
    }

    private enum Geometry: Decodable {
        case areas([[[[Double]]]])
        case other(type: String)

        private enum Keys: String, CodingKey {
            case type, coordinates
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            switch try container.decode(String.self, forKey: .type) {
            case "Polygon": self = .areas([try container.decode([[[Double]]].self, forKey: .coordinates)])
            case "MultiPolygon": self = .areas(try container.decode([[[[Double]]]].self, forKey: .coordinates))
            case let type: self = .other(type: type)
            }
        }
    }

    private struct Property: Decodable {
        /// Nil for null and for what is nested.
        let text: String?

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.singleValueContainer(), !container.decodeNil() else {
                text = nil
                return
            }
            if let string = try? container.decode(String.self) {
                text = string
            } else if let flag = try? container.decode(Bool.self) {
                text = flag ? "true" : "false"
            } else if let integer = try? container.decode(Int.self) {
                text = String(integer)
            } else {
                text = (try? container.decode(Double.self)).map { "\($0)" }
            }
        }
    }
}

/// A place in GeoJSON: WGS 84, degrees, longitude first.
///
/// - Source: RFC 7946, section 3.1.1.
package struct GeoJSONPosition: Sendable, Equatable {
    /// Degrees east, -180 to 180.
    package let longitude: Double
    /// Degrees north, -90 to 90.
    package let latitude: Double

    /// True for a position on Earth; false for NaN too.
    var isOnEarth: Bool { abs(longitude) <= 180 && abs(latitude) <= 90 }
}

/// A ring of positions whose last equals its first.
package typealias GeoJSONRing = [GeoJSONPosition]

/// GeoJSON that cannot be read. Features count from 1.
package enum GeoJSONError: Error, Equatable, CustomStringConvertible {
    /// A position is not on Earth, or not a number.
    case notOnEarth(feature: Int)
    /// A ring has fewer than four positions, or does not end where it begins.
    case openRing(feature: Int)
    /// A feature that has to be an area is of another type.
    case unsupportedGeometry(feature: Int, type: String)
    /// The document is no FeatureCollection. `reason` is for people.
    case malformed(reason: String)

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .notOnEarth(let feature): "feature \(feature) has a position that is not on Earth"
        case .openRing(let feature): "feature \(feature) has a ring that is not closed"
        case .unsupportedGeometry(let feature, let type):
            "feature \(feature) is a \(type); Polygon and MultiPolygon are expected"
        case .malformed(let reason): "this is no GeoJSON FeatureCollection: \(reason)"
        }
    }
}
