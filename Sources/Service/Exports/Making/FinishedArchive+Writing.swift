import Domain
import Exchange
import PhotoStore

extension FinishedArchive {
    /// Writes the archive to a file.
    /// - Parameters:
    ///   - replaced: how many control characters became spaces in it.
    ///   - keepGoing: throws when the work is to end; called from time to time.
    /// - Throws: `FileError`; what `keepGoing` throws.
    func written(
        to path: String, replacing replaced: Int, unidentified: Int = 0, _ keepGoing: () throws -> Void
    ) throws -> FinishedExport {
        let file = try HashedFile(creating: path)
        var hashers = [SHA256Hasher](repeating: SHA256Hasher(), count: members.count)
        while let part = try nextPart() {
            try keepGoing()
            if case .content(let member, let bytes) = part { hashers[member].update(bytes) }
            try file.append { $0.append(contentsOf: part.bytes) }
        }
        let digest = try file.close()
        var written: [ExportMember] = []
        for (member, hasher) in zip(members, hashers) {
            written.append(
                ExportMember(
                    name: try MemberName(member.name), bytes: member.size,
                    sha256: try Fingerprint(hasher.digest.description)))
        }
        return FinishedExport(
            path: file.path, size: file.size, digest: digest, members: written, unidentified: unidentified,
            replacedCharacters: replaced)
    }
}
