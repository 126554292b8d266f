import Domain
package import JSON
import ReadModels
package import Service

/// An export as anyone sees it: never who asked for it, and no position.
extension ExportView: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        let query = export.query
        writer.object { writer in
            writer.field("id", id)
            writer.field("format", query.format)
            writer.field("filter", FilterView(filter: query.filter, ranges: query.ranges))
            writer.field("statuses", query.filter.shownStatuses)
            writer.field("asOf", query.day)
            writer.field("repeatedBy", query.day == nil ? "id" : "query")
            writer.field("state", state.rawValue)
            writer.field("reason", reason?.rawValue)
            writer.field("rowsSoFar", rows)
            writer.field("revisions", array: export.revisions) { writer, made in
                writer.object { writer in
                    writer.field("revision", made.revision)
                    writer.field("state", isCurrent(made) ? "current" : "restricted")
                    writer.field("rows", made.rows)
                    writer.field("bytes", made.bytes)
                    writer.field("sha256", made.sha256)
                }
            }
        }
    }
}
