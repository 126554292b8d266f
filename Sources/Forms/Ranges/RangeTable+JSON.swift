package import Domain
package import JSON
package import Service

/// The figures of a range by region and period, with all parameters.
package struct RangeAnswer: JSONRepresentable {
    let range: NamedRange
    /// The day as of whose end it is; nil for the present.
    let day: CivilDate?

    package init(range: NamedRange, asOf day: CivilDate?) {
        (self.range, self.day) = (range, day)
    }

    package func write(to writer: inout JSONWriter) {
        let query = range.query
        writer.object { writer in
            writer.field("asOf", day)
            writer.field("taxon", range.taxon)
            writer.field("statuses", query.statuses)
            writer.field("parameters", RangeParameters(query: query))
            writer.field("items", array: range.table.rows) { writer, row in
                RangeItem(row: row, query: query).write(to: &writer)
            }
        }
    }
}

/// A row.
private struct RangeItem: JSONRepresentable {
    let row: RangeRow
    let query: RangeQuery

    func write(to writer: inout JSONWriter) {
        let figures = row.figures
        writer.object { writer in
            writer.field("region", row.region?.text ?? "all")
            writePeriod(to: &writer)
            writer.field("records", row.records)
            writer.field("cells", figures.cells)
            writer.field("observers", row.observers)
            writer.field("visits", row.visits)
            writer.field("generalised", row.generalised)
            writer.field("notInExports", row.notInExports)
            if query.asks(for: .south) {
                writer.field("south") { write(figures.south, .south, names: ("q05", "q10"), to: &$0) }
            }
            if query.asks(for: .north) {
                writer.field("north") { write(figures.north, .north, names: ("q95", "q90"), to: &$0) }
            }
            writer.field("q50", figures.q50)
            writer.field("centroid", figures.centroid.map(Centre.init))
            if row.region != nil { writer.field("hullKm2", figures.hullKm2) }
            if let extent = figures.extent {
                writer.field("eoo") { writer in
                    writer.field("km2", extent.km2)
                    writer.field("iucnKm2", extent.iucnKm2)
                    writer.field("reason", extent.reason)
                }
            }
            writer.field("aoo", figures.occupancy.map(Occupancy.init))
            writer.field("leftOut", array: row.leftOut) { writer, left in
                writer.object { writer in
                    writer.field("reason", left.reason)
                    writer.field("records", left.records)
                }
            }
            writer.field("missing", array: row.missing(for: query)) { writer, missing in
                writer.object { writer in
                    writer.field("member", missing.member)
                    writer.field("reason", missing.reason)
                }
            }
        }
    }

    private func writePeriod(to writer: inout JSONWriter) {
        switch row.period {
        case .some(let period): writer.fields(of: period)
        case nil where query.period == .weekOfYear: writer.field("week", nil as Int?)
        case nil:
            writer.field("from", nil as Int?)
            writer.field("to", nil as Int?)
        }
    }

    private func write(
        _ figures: EndFigures, _ end: RangeEnd, names: (outer5: StaticString, outer10: StaticString),
        to writer: inout JSONWriter
    ) {
        writer.field("extreme", figures.extreme.map(Extreme.init))
        writer.field("meanOf10Cells", figures.meanOf10Cells)
        writer.field("gamma95", figures.gamma95.map(Gamma.init))
        writer.field(names.outer5, figures.outer5)
        writer.field(names.outer10, figures.outer10)
        writer.field("truncated", row.truncated[end])
    }
}

struct Extreme: JSONRepresentable {
    let record: ExtremeRecord

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("latitude", record.latitude)
            writer.field("sightingId", record.sighting)
        }
    }
}

private struct Gamma: JSONRepresentable {
    let margin: GammaMargin

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("latitude", margin.latitude)
            writer.field("shape", margin.shape)
            writer.field("scale", margin.scale)
            writer.field("reference", margin.reference)
            writer.field("cells", margin.cells)
            writer.field("beyondData", margin.beyondData)
        }
    }
}

private struct Centre: JSONRepresentable {
    let place: Coordinate

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("latitude", place.latitude)
            writer.field("longitude", place.longitude)
        }
    }
}

private struct Occupancy: JSONRepresentable {
    let area: GridArea

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("km2", area.km2)
            writer.field("minKm2", area.minKm2)
            writer.field("maxKm2", area.maxKm2)
        }
    }
}
