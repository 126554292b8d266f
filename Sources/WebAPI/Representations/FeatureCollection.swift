/// A map: points when there are few records, cells of a grid when there are many.
/// - Source: RFC 7946.
package struct FeatureCollection: Sendable, JSONRepresentable {
    /// The media type of maps.
    package static let contentType = "application/geo+json"

    /// The records, all of them, in an order that is the same every time.
    package var features: [MapFeature]
    /// The width of the grid's cells in degrees; nil when features are points.
    package var cellDegrees: Double?
    /// Which statuses were counted.
    package var statuses: [String]

    /// Fills in everything.
    package init(features: [MapFeature], cellDegrees: Double?, statuses: [String]) {
        self.features = features
        self.cellDegrees = cellDegrees
        self.statuses = statuses
    }

    /// Writes a GeoJSON `FeatureCollection` (RFC 7946) with the map's own members beside the features.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", "FeatureCollection")
            writer.field("records", features.reduce(0) { $0 + $1.records })
            writer.field("cellDegrees", cellDegrees)
            writer.field("statuses", statuses)
            writer.field("features", features)
        }
    }
}
