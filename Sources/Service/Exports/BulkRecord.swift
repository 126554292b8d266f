package import Domain
import FoundationEssentials
package import ReadModels

/// A dataset as it was known at the moment of an answer.
package struct DatasetCredits: Hashable, Sendable {
    package let id: DatasetID
    /// Empty where it was redacted.
    package let title: String
    package let publisher: String?
    package let citation: String?
    package let rightsHolder: String?
}

/// A record of a bulk answer, with the sources of all its columns.
package struct BulkRecord: Sendable {
    /// The record as anyone sees it.
    package let record: PublicRecord
    /// Its taxon and all above it, from the taxon upwards, as they were known at the moment of the answer.
    package let lineage: [DatedTaxon]
    /// The dataset it was imported with; nil for a submitted one.
    package let dataset: DatasetCredits?
    /// The own columns of an imported row; nil if the record is generalised, and where they may not be shown.
    let row: PassedOnRow?
    /// Unique in the answer: the row's own id, or `urn:uuid:` with the public id.
    package let occurrenceID: String
    /// The oldest first; empty if they were not asked for, or if the record is guarded.
    var identifications: [BulkIdentification] = []
    /// The reasons for which it is rejected; empty for other records.
    var reasons: [SightingReason] = []
}

extension PublicSighting {
    /// Whether anything of it is coarser than it was reported. Nothing of the row that it was imported with may be
    /// passed on: an id, an event or a locality leads to the place.
    package var isGeneralised: Bool {
        sensitivity != nil || geoprivacy != .open || decimals != nil || isGuarded
    }

    /// Whether it is guarded: it then has no version.
    package var isGuarded: Bool { version == nil }
}

extension BulkRecord {
    /// `urn:uuid:` with a public id.
    static func urn(_ id: SightingID) -> String { "urn:uuid:" + id.description }

    /// All ways to write it that count. An original id that has it in another way is not kept, so that those that are
    /// kept can be found by the id.
    static func writings(urn id: SightingID) -> Set<String> {
        let text = urn(id)
        let (prefix, digits) = (text.prefix(9), text.dropFirst(9))
        var all: Set<String> = []
        for prefix in [String(prefix), prefix.uppercased()] {
            for digits in [String(digits), digits.uppercased()] { all.insert(prefix + digits) }
        }
        return all
    }

    /// Whether a text is one that does not count.
    static func isOdd(urn text: String) -> Bool {
        id(urn: text).map { !writings(urn: $0).contains(text) } ?? false
    }

    /// The public id in such a text, in upper or lower case; nil for any other.
    static func id(urn text: String) -> SightingID? {
        let prefix = "urn:uuid:"
        guard text.utf8.count == prefix.utf8.count + 36, text.lowercased().hasPrefix(prefix) else { return nil }
        return SightingID(String(text.dropFirst(prefix.count)))
    }
}
