import Domain
package import JSON
package import Service

extension RangeDifference: JSONRepresentable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("taxon", taxon)
            writer.field("scientificName", scientificName)
            writer.field("region", region?.text ?? "all")
            writer.field("from", years?.from)
            writer.field("to", years?.to)
            writer.field("week", week)
            writer.field("metric", metric)
            writer.field("before", figures.before)
            writer.field("after", figures.after)
            writer.field("entered", array: entered) { writer, id in writer.string(id.description) }
            writer.field("left", array: left) { writer, id in writer.string(id.description) }
        }
    }

    private var years: (from: Int, to: Int)? {
        guard case .years(let from, let to)? = period else { return nil }
        return (from, to)
    }

    private var week: Int? {
        guard case .week(let week)? = period else { return nil }
        return week
    }
}
