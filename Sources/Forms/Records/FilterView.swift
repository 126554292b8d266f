package import Domain
package import JSON

/// A filter as a request may have it.
package struct FilterView: JSONRepresentable {
    private let filter: RecordFilter
    private let members: [RecordFilter.Member]
    private let hasNulls: Bool
    /// The terms of a table of ranges.
    var ranges: RangeTerms?

    /// - Parameters:
    ///   - members: the conditions to write.
    ///   - hasNulls: whether conditions that are not set are null; else they are left out.
    package init(
        filter: RecordFilter, members: [RecordFilter.Member] = RecordFilter.Member.allCases, hasNulls: Bool = false
    ) {
        (self.filter, self.members, self.hasNulls) = (filter, members, hasNulls)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0) }
    }

    /// Writes the conditions as members of an object.
    func write(members writer: inout JSONWriter) {
        for member in members { write(member, to: &writer) }
        if let ranges { write(ranges, to: &writer) }
    }

    private func write(_ member: RecordFilter.Member, to writer: inout JSONWriter) {
        let name = member.rawValue
        switch member {
        case .taxon: write(name, filter.taxon?.uuid, to: &writer)
        case .kind: write(name, filter.kind?.rawValue, to: &writer)
        case .region: write(name, filter.region?.text, to: &writer)
        case .state: write(name, filter.state?.text, to: &writer)
        case .country: write(name, filter.country?.text, to: &writer)
        case .box: write(name, filter.box.map(Self.text), to: &writer)
        case .from: write(name, filter.from, to: &writer)
        case .to: write(name, filter.to, to: &writer)
        case .statuses: write(name, statuses, to: &writer)
        case .minConfidence: write(name, filter.minConfidence?.value, to: &writer)
        case .maxUncertainty: write(name, filter.maxUncertainty?.value, to: &writer)
        case .hasPhoto: write(name, filter.hasPhoto, to: &writer)
        case .captive: write(name, filter.captive, to: &writer)
        case .dataset: write(name, filter.dataset?.description, to: &writer)
        }
    }

    private func write(_ name: String, _ value: (some JSONRepresentable)?, to writer: inout JSONWriter) {
        if let value {
            writer.field(named: name, value)
        } else if hasNulls {
            writer.key(named: name)
            writer.null()
        }
    }

    private var statuses: JSONValue? {
        filter.statuses.isEmpty ? nil : .array(filter.shownStatuses.map { .string($0.rawValue) })
    }

    private static func text(_ box: BoundingBox) -> String {
        [box.west, box.south, box.east, box.north]
            .map { side in Int(exactly: side).map(String.init) ?? side.description }
            .joined(separator: ",")
    }
}
