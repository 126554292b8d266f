package import Domain
package import JSON
import Service

/// A researcher's own export, for its account.
package struct ResearchExportView: JSONRepresentable, Sendable {
    private let export: ResearchExport
    private let query: BulkQuery
    private let terms: RangeTerms?

    /// - Throws: what cannot be read of its filter.
    package init(_ export: ResearchExport) throws {
        (self.export, query, terms) = (export, try export.query, try export.terms)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", export.id)
            writer.field("format", export.format)
            writer.field("filter", FilterView(filter: query.filter, ranges: terms))
            writer.field("rejected", export.rejected)
            writer.field("asOf", export.day)
            writer.field("requestedAt", export.requestedAt)
            writer.field("expiresAt", export.expiresAt)
        }
    }
}
