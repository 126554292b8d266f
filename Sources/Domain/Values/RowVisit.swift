package import JSON

/// The visit of an imported row, which the rows of one visit share.
package struct RowVisit: Hashable, Sendable {
    package let id: RowVisitID
    /// Whether the rows of the visit are all species that were identified on it.
    package let isComplete: Bool

    package init(id: RowVisitID, isComplete: Bool) {
        (self.id, self.isComplete) = (id, isComplete)
    }
}

extension RowVisit: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        self.init(id: try payload.required("id"), isComplete: payload["complete"]?.boolean ?? false)
    }

    package func write(to writer: inout PayloadWriter) {
        writer.object { writer in
            writer.field("id", id)
            if isComplete { writer.field("complete", isComplete) }
        }
    }
}
