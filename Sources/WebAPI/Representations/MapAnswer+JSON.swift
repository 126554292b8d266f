import Domain
package import JSON
package import ReadModels

/// A map as GeoJSON, with members of its own beside the features.
/// - Source: RFC 7946.
struct FeatureCollection: JSONRepresentable {
    static let contentType = "application/geo+json"

    let answer: MapAnswer
    /// The width of the grid's cells in degrees, if the records are counted in cells.
    let cellDegrees: Double
    /// The names of the points' taxa.
    let names: TaxonNames

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("type", "FeatureCollection")
            writer.field("records", answer.records)
            switch answer {
            case .points(let points):
                writer.field("cellDegrees", nil as Double?)
                writer.field("statuses", Self.statuses)
                // A map has many points and few taxa: each is looked up and written once.
                var taxa: [TaxonID?: [UInt8]] = [:]
                writer.field("features", array: points) { writer, point in
                    let taxon = taxa[point.taxon] ?? json(of: point.taxon)
                    taxa[point.taxon] = taxon
                    point.write(to: &writer, taxon: taxon)
                }
            case .cells(let cells):
                writer.field("cellDegrees", cellDegrees)
                writer.field("statuses", Self.statuses)
                writer.field("features", cells)
            }
        }
    }

    /// A taxon's summary.
    private func json(of taxon: TaxonID?) -> [UInt8] {
        guard let summary = taxon.flatMap({ names.summary(of: $0) }) else { return Array("null".utf8) }
        return JSONWriter.bytes(of: summary)
    }

    /// The statuses of the records on a map.
    private static let statuses = [SightingStatus.approved, .acceptedBySource, .pending].map(\.rawValue)
}

extension MapAnswer.Point {
    fileprivate func write(to writer: inout JSONWriter, taxon: [UInt8]) {
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
