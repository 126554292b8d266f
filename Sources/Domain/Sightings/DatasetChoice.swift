package import JSON

/// The records of one dataset, or those that were submitted.
package enum DatasetChoice: Hashable, Sendable {
    case one(DatasetID)
    /// The records of no dataset.
    case none

    private static let noDataset = "none"

    /// Reads an id or `none`.
    /// - Throws: ``RuleViolation``.
    package init(text: String) throws(RuleViolation) {
        guard text != Self.noDataset else {
            self = .none
            return
        }
        guard let id = DatasetID(text) else { throw RuleViolation(.format, "must be a UUID or none") }
        self = .one(id)
    }

    /// The id; nil for `none`.
    package var id: DatasetID? {
        switch self {
        case .one(let id): id
        case .none: nil
        }
    }
}

extension DatasetChoice: CustomStringConvertible {
    package var description: String { id?.description ?? Self.noDataset }
}

extension DatasetChoice: PayloadValue {
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(text: try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.code(description)
    }
}
