/// A Darwin Core archive that only has to be copied together from its spooled files.
package final class FinishedArchive {
    /// A file in the archive.
    package struct Member: Hashable, Sendable {
        package let name: String
        /// In bytes.
        package let size: Int
    }

    /// A piece of the archive.
    package enum Part: Sendable {
        /// Bytes of the zip file itself.
        case frame([UInt8])
        /// Bytes of a member, by its place in ``members``.
        case content(member: Int, [UInt8])

        package var bytes: [UInt8] {
            switch self {
            case .frame(let bytes), .content(_, let bytes): bytes
            }
        }
    }

    private static let pieceSize = 256 * 1024

    /// The files, in their order in the archive.
    package let members: [Member]
    /// The size of the archive in bytes.
    package let size: Int

    private let files: [SpooledFile]
    private let zip: StoredZip
    private var next = 0
    private var source: FileByteSource?
    private var isFinished = false

    init(_ files: [SpooledFile]) {
        self.files = files
        members = files.map { Member(name: $0.name, size: $0.size) }
        zip = StoredZip(entries: files.map(\.entry))
        size = Int(zip.size)
    }

    /// The next piece of the archive, of 256 KiB at most; nil after the last one.
    /// - Throws: `FileError`.
    package func nextPart() throws -> Part? {
        if let source {
            let bytes = try source.readBytes(upTo: Self.pieceSize)
            if !bytes.isEmpty { return .content(member: next - 1, bytes) }
            self.source = nil
        }
        guard next < files.count else {
            defer { isFinished = true }
            return isFinished ? nil : .frame(zip.directory())
        }
        source = try files[next].open()
        next += 1
        return .frame(zip.header(of: zip.entries[next - 1]))
    }
}
