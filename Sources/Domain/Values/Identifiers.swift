import Bytes
package import FoundationEssentials
package import JSON

/// A typed id: a UUID that cannot be confused with one of another type, written in lower case.
package protocol Identifier: Hashable, Comparable, Sendable, Codable, LosslessStringConvertible, PayloadValue {
    var uuid: UUID { get }
    init(_ uuid: UUID)
}

extension Identifier {
    /// Reads an id in upper or lower case.
    /// - Throws: ``RuleViolation`` for any other form.
    package init(text: String) throws(RuleViolation) {
        guard let uuid = UUIDText.parse(text) else { throw RuleViolation(.format, "must be a UUID") }
        self.init(uuid)
    }

    /// Reads an id, nil for any other text.
    package init?(_ description: String) {
        guard let uuid = UUIDText.parse(description) else { return nil }
        self.init(uuid)
    }

    /// 36 characters in lower case.
    package var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        UUIDText.append(uuid, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: ``RuleViolation`` naming the rule that the value breaks.
    package init(payload: JSONValue) throws(RuleViolation) {
        try self.init(text: try payload.text())
    }

    package func write(to writer: inout PayloadWriter) {
        writer.quoted { UUIDText.append(uuid, to: &$0) }
    }

    /// Orders as the texts would be ordered, and as PostgreSQL orders UUIDs.
    package static func < (one: Self, other: Self) -> Bool {
        withUnsafeBytes(of: one.uuid.uuid) { one in
            withUnsafeBytes(of: other.uuid.uuid) { other in one.lexicographicallyPrecedes(other) }
        }
    }

    package init(from decoder: any Decoder) throws {
        try self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// An id that is nothing but its UUID.
protocol StoredIdentifier: Identifier {
    init(uuid: UUID)
}

extension StoredIdentifier {
    package init(_ uuid: UUID) {
        self.init(uuid: uuid)
    }
}

/// The id of an account, which is also the id of its stream.
package struct AccountID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of a person in public: a pseudonym that differs from the account's id.
package struct ObserverID: StoredIdentifier {
    package let uuid: UUID

    /// The name of a person who chose none, such as "birder 4f2a": the last four digits of the pseudonym.
    package var defaultName: String { "birder " + String(description.suffix(4)) }
}

/// The id of a sighting, which is also the id of its stream.
package struct SightingID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of a photo, which is also the id of its stream.
package struct PhotoID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of a taxon, which is also the id of its stream.
package struct TaxonID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of a dataset, which is also the id of its stream.
package struct DatasetID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of one import of one file into a dataset.
package struct BatchID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of decisions that a moderator sent together.
package struct DecisionBatchID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of an outing, which the sightings made on it share.
package struct VisitID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of the targets of one region and week.
package struct TargetsID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of an export, which is also the id of its stream.
package struct ExportID: StoredIdentifier {
    package let uuid: UUID
}

/// The id of one target of a region and week.
package struct TargetID: StoredIdentifier {
    package let uuid: UUID
}

/// The observers of an imported row: a keyed hash of `recordedBy`, which the log must not hold.
package struct RecorderID: StoredIdentifier {
    package let uuid: UUID
}

/// The public id of a visit: a keyed hash, so that it leads neither to the observer nor to the visit's own id.
package struct PublicVisitID: StoredIdentifier {
    package let uuid: UUID
}

/// A visit of a dataset: a keyed hash of the values that identify it in its rows, which the log must not hold.
package struct RowVisitID: StoredIdentifier {
    package let uuid: UUID
}
