import Domain
package import JSON
package import Service

extension Erratum: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", id)
            writer.field("occurrenceID", occurrenceID)
            writer.field("change", change)
            writer.field("reason", reason)
            writer.field("columns", array: columnNames) { writer, name in writer.string(name) }
        }
    }
}
