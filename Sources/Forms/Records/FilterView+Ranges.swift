package import Domain
import JSON

extension FilterView {
    /// The filter of an export as a request may have it, with the terms of a table of ranges as further members.
    package init(filter: RecordFilter, ranges: RangeTerms?) {
        self.init(filter: filter)
        self.ranges = ranges
    }

    /// Writes the terms as members of an object.
    func write(_ terms: RangeTerms, to writer: inout JSONWriter) {
        if !terms.taxa.isEmpty {
            writer.field("taxa", array: terms.taxa) { writer, taxon in writer.string(taxon.description) }
        }
        writer.field("period", terms.period)
        if let end = terms.end { writer.field("end", end) }
        writer.field("cellKm", terms.side)
        writer.field("prompted", terms.withPrompted)
        if !terms.without.isEmpty {
            writer.field("without", array: terms.without) { writer, id in writer.string(id.description) }
        }
    }
}
