/// A place in GeoJSON: WGS 84, degrees, longitude first.
///
/// - Source: RFC 7946, section 3.1.1.
package struct GeoJSONPosition: Sendable, Equatable {
    /// Degrees east, -180 to 180.
    package let longitude: Double
    /// Degrees north, -90 to 90.
    package let latitude: Double

    /// A position in degrees.
    package init(longitude: Double, latitude: Double) {
        (self.longitude, self.latitude) = (longitude, latitude)
    }

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
