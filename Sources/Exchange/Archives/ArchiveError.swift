/// A compressed file or an archive that cannot be read.
package enum ArchiveError: Error, Equatable, CustomStringConvertible {
    /// The file is cut short, damaged, encrypted, or not of the kind that its first bytes say. `reason` is
    /// libarchive's or zlib's.
    case damaged(path: String, reason: String)
    /// More bytes come out than `ArchiveLimits` allows.
    case expandsTooMuch(path: String, limit: Int)
    /// More entries than `ArchiveLimits.maximumEntries`.
    case tooManyEntries(path: String, limit: Int)
    /// Two entries have the same name, so that no one could say which is meant.
    case duplicateEntry(path: String, name: String)
    /// No entry has this name.
    case missingEntry(path: String, name: String)
    /// An entry that has to be held in memory is larger than `limit` bytes.
    case entryTooLarge(path: String, name: String, limit: Int)

    /// A sentence for the person who sent or loads the file.
    package var description: String {
        switch self {
        case .damaged(let path, let reason): "\(path) cannot be read: \(reason)"
        case .expandsTooMuch(let path, let limit): "\(path) expands to more than \(limit) bytes: rejected as a bomb"
        case .tooManyEntries(let path, let limit): "\(path) has more than \(limit) entries"
        case .duplicateEntry(let path, let name): "\(path) has two entries named \"\(name)\""
        case .missingEntry(let path, let name): "\(path) has no entry named \"\(name)\""
        case .entryTooLarge(let path, let name, let limit): "\"\(name)\" in \(path) is larger than \(limit) bytes"
        }
    }
}

/// How far a compressed file may expand before it is taken for a bomb.
///
/// Reading is in constant memory, so these limits guard time and disk, not memory. Deflate cannot go beyond about 1,032
/// to 1; real tables of records stay under 50 to 1.
package struct ArchiveLimits: Sendable, Equatable {
    /// Expanded bytes allowed for each byte of the file on disk, once `ratioFreeBytes` have been expanded.
    package var maximumRatio = 300
    /// Expanded bytes below which the ratio is not looked at: a small file may be very regular. 64 MiB.
    package var ratioFreeBytes = 64 << 20
    /// Expanded bytes allowed in all, whatever the ratio. 1 TiB.
    package var maximumExpandedBytes = 1 << 40
    /// Entries allowed in an archive. Portals put a document for each of their datasets beside the tables: 200,000.
    package var maximumEntries = 200_000

    /// The limits described at each property.
    package init() {}

    /// Checks `expanded` bytes that came out of a file of `compressed` bytes.
    ///
    /// - Throws: `ArchiveError.expandsTooMuch`.
    func check(expanded: Int, compressed: Int, path: String) throws {
        let allowedByRatio = max(compressed, 1).multipliedReportingOverflow(by: maximumRatio)
        let ratioLimit = allowedByRatio.overflow ? Int.max : allowedByRatio.partialValue
        let limit = min(maximumExpandedBytes, max(ratioFreeBytes, ratioLimit))
        if expanded > limit { throw ArchiveError.expandsTooMuch(path: path, limit: limit) }
    }
}
