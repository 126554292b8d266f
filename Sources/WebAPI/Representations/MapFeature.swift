package import FoundationEssentials

/// One feature of a map: a record, or a cell of a grid with all its records.
/// - Source: RFC 7946.
package enum MapFeature: Sendable, JSONRepresentable {
    /// A record at its place.
    case point(MapPoint)
    /// The records of a cell.
    case cell(MapCell)

    /// How many records it stands for; over a map they add up to the same total at every zoom.
    package var records: Int {
        switch self {
        case .point: 1
        case .cell(let cell): cell.records
        }
    }

    /// Writes the point or the cell.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .point(let point): point.write(to: &writer)
        case .cell(let cell): cell.write(to: &writer)
        }
    }
}

/// A record on a map.
package struct MapPoint: Sendable, JSONRepresentable {
    /// The sighting's id on the surface that the map is on.
    package var id: UUID
    /// Degrees east, WGS 84.
    package var longitude: Double
    /// Degrees north, WGS 84.
    package var latitude: Double
    /// The sighting's status.
    package var status: String
    /// When it was observed, no more precisely than it may be shown.
    package var observedAt: String
    /// How many were seen.
    package var count: Int?
    /// Metres within which the place is; nil for unknown.
    package var uncertaintyMetres: Double?
    /// What was seen; nil for unidentified.
    package var taxon: TaxonReference?

    /// Fills in everything.
    package init(
        id: UUID, longitude: Double, latitude: Double, status: String, observedAt: String, count: Int?,
        uncertaintyMetres: Double?, taxon: TaxonReference? = nil
    ) {
        self.id = id
        self.longitude = longitude
        self.latitude = latitude
        self.status = status
        self.observedAt = observedAt
        self.count = count
        self.uncertaintyMetres = uncertaintyMetres
        self.taxon = taxon
    }

    /// Writes a GeoJSON `Feature` whose geometry is a point.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", "Feature")
            writer.field("id", id)
            writer.field("geometry") { writer in
                writer.field("type", "Point")
                writer.field("coordinates", [longitude, latitude])
            }
            writer.field("properties") { writer in
                writer.field("records", 1)
                writer.field("status", status)
                writer.field("observedAt", observedAt)
                writer.field("count", count)
                writer.field("uncertaintyMetres", uncertaintyMetres)
                writer.field("taxon", taxon)
            }
        }
    }
}

/// A cell of a map's grid.
package struct MapCell: Sendable, JSONRepresentable {
    /// Its western edge, degrees east.
    package var west: Double
    /// Its southern edge, degrees north.
    package var south: Double
    /// Its eastern edge, degrees east.
    package var east: Double
    /// Its northern edge, degrees north.
    package var north: Double
    /// How many records lie in it.
    package var records: Int
    /// How many of them are pending.
    package var pending: Int

    /// Fills in everything.
    package init(west: Double, south: Double, east: Double, north: Double, records: Int, pending: Int) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
        self.records = records
        self.pending = pending
    }

    /// Writes a GeoJSON `Feature` whose geometry is the cell's square.
    package func write(to writer: inout JSONWriter) {
        // Counterclockwise, and closed, as the specification wants a ring.
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        writer.object { writer in
            writer.field("type", "Feature")
            writer.field("geometry") { writer in
                writer.field("type", "Polygon")
                writer.field("coordinates", array: [ring]) { writer, ring in
                    writer.array(ring) { writer, position in writer.array(position) { $0.number($1) } }
                }
            }
            writer.field("properties") { writer in
                writer.field("records", records)
                writer.field("pending", pending)
            }
        }
    }
}
