package import Domain
package import JSON
package import ReadModels

/// A map as GeoJSON, with members of its own beside the features.
/// - Source: RFC 7946.
package struct FeatureCollection: JSONRepresentable {
    package static let contentType = "application/geo+json"

    let answer: MapAnswer
    /// The names of the points' taxa.
    let names: TaxonSummaries
    /// The day at whose end the map is as of; nil for the present.
    let day: CivilDate?
    /// The statuses that the map counts.
    let statuses: [SightingStatus]

    package init(
        answer: MapAnswer, names: TaxonSummaries, asOf day: CivilDate? = nil,
        statuses: [SightingStatus] = SightingStatus.ofRecords
    ) {
        self.answer = answer
        self.names = names
        self.day = day
        self.statuses = statuses
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", "FeatureCollection")
            writer.field("records", answer.records)
            writer.field("asOf", day)
            switch answer {
            case .points(let points):
                writer.field("cellDegrees", nil as Double?)
                writer.field("statuses", statuses.map(\.rawValue))
                var taxa = TaxonBytes()
                writer.field("features", array: points) { writer, point in
                    point.write(to: &writer, taxon: taxa.bytes(of: point.taxon, names))
                }
            case .cells(let cells, let grid):
                writer.field("cellDegrees", grid.side)
                writer.field("statuses", statuses.map(\.rawValue))
                writer.field("features", cells)
            }
        }
    }
}

extension MapAnswer.Point {
    func write(to writer: inout JSONWriter, taxon: [UInt8]) {
        writer.object { writer in
            writer.field("type", "Feature")
            writer.field("id", id)
            writer.field("geometry") { writer in
                writer.field("type", "Point")
                writer.field("coordinates", [coordinate.longitude, coordinate.latitude])
            }
            writer.field("properties") { writer in
                writer.field("records", 1)
                writer.field("status", status)
                writer.field("observedAt", observed?.description ?? "")
                writer.field("count", count)
                writer.field("countRange", countRange)
                writer.field("uncertaintyMetres", uncertainty)
                writer.field("taxon", json: taxon)
            }
        }
    }
}

extension MapAnswer.Cell: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        // Counterclockwise, and closed, as the specification wants a ring.
        let ring = [
            [box.west, box.south], [box.east, box.south], [box.east, box.north], [box.west, box.north],
            [box.west, box.south],
        ]
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
