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
        case .expandsTooMuch(let path, let limit): "\(path) expands to more than \(limit) bytes: refused as a bomb"
        case .tooManyEntries(let path, let limit): "\(path) has more than \(limit) entries"
        case .duplicateEntry(let path, let name): "\(path) has two entries named \"\(name)\""
        case .missingEntry(let path, let name): "\(path) has no entry named \"\(name)\""
        case .entryTooLarge(let path, let name, let limit): "\"\(name)\" in \(path) is larger than \(limit) bytes"
        }
    }
}
