package import Domain
package import JSON
import ReadModels
package import Service

extension RegionRange: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("extreme", Extreme(record: extreme))
            writer.field("meanOf10Cells", meanOf10Cells)
            writer.field("records", records)
            writer.field("cells", cells)
            writer.field("truncated", truncated)
        }
    }
}

/// The parameters of a list of ranges, with their values.
package struct RegionRangeParameters: JSONRepresentable {
    let query: RegionQuery
    let end: RangeEnd

    package init(query: RegionQuery, end: RangeEnd) {
        (self.query, self.end) = (query, end)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("end", end)
            writer.field("cellKm", RegionQuery.side)
            writer.field("maxUncertaintyMetres", query.rule.maxUncertaintyMetres)
            FilterView(filter: query.filter, members: [.kind, .from, .to], hasNulls: true).write(members: &writer)
        }
    }
}

/// The species of a region.
package struct RegionSpeciesAnswer: JSONRepresentable {
    let query: RegionQuery
    let species: [NamedRegionSpecies]
    /// The day as of whose end it is; nil for the present.
    let day: CivilDate?

    package init(query: RegionQuery, species: [NamedRegionSpecies], asOf day: CivilDate?) {
        (self.query, self.species, self.day) = (query, species, day)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("asOf", day)
            writer.field("region", query.region)
            writer.field("statuses", query.statuses)
            writer.field("items", array: species) { writer, item in
                writer.object { writer in
                    writer.field("taxon", item.taxon)
                    writer.field("records", item.found.records)
                    writer.field("firstOn", item.found.firstOn)
                    writer.field("lastOn", item.found.lastOn)
                }
            }
        }
    }
}

/// The totals of a taxon.
package struct TotalsAnswer: JSONRepresentable {
    let totals: NamedTotals
    /// The day as of whose end it is; nil for the present.
    let day: CivilDate?

    package init(totals: NamedTotals, asOf day: CivilDate?) {
        (self.totals, self.day) = (totals, day)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("asOf", day)
            writer.field("taxon", totals.taxon)
            writer.field("statuses", SightingStatus.ofRecords)
            writer.field("items", array: totals.totals) { writer, total in
                writer.object { writer in
                    writer.field("country", total.country)
                    writer.field("year", total.year)
                    writer.field("records", total.records)
                    writer.field("sensitive", total.sensitive)
                }
            }
        }
    }
}
