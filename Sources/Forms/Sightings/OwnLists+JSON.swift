import Domain
package import JSON
import ReadModels
package import Service

/// A page of the species that a birder has found.
package struct SpeciesPage: JSONRepresentable {
    let items: [FoundSpecies]
    /// The number of species on all pages.
    let total: Int
    let next: String?

    package init(_ items: [FoundSpecies], total: Int, next: String?) {
        (self.items, self.total, self.next) = (items, total, next)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("items", items)
            writer.field("total", total)
            writer.field("next", next)
        }
    }
}

extension FoundSpecies: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("findingCount", listed.findings)
            writer.field("approvedCount", listed.approved)
            writer.field("first", object: { Self.write(listed.first, to: &$0) })
            writer.field("last", object: { Self.write(listed.last, to: &$0) })
        }
    }

    private static func write(_ finding: ListedSpecies.Finding, to writer: inout JSONWriter) {
        writer.field("id", finding.id)
        writer.field("observedAt", finding.observed.description)
        writer.field("status", finding.status)
    }
}

extension Outing: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            listed.visit.write(members: &writer)
            writer.field("findingCount", listed.findingCount)
            writer.field("speciesCount", listed.speciesCount)
            writer.field("findings", findings)
        }
    }
}

extension Outing.Finding: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", listed.id)
            writer.field("taxon", taxon)
            writer.field("verbatimName", verbatimName)
            writer.field("count", listed.count)
            writer.field("confidence", listed.confidence)
            writer.field("observedAt", listed.observed.description)
            writer.field("latitude", listed.coordinate.latitude)
            writer.field("longitude", listed.coordinate.longitude)
            writer.field("state", listed.state)
            writer.field("status", listed.status)
        }
    }
}
