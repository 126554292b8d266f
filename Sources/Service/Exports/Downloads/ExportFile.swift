package import Domain
import Exchange
import PhotoStore

/// The bytes of a revision, which can be read in part.
package struct ExportFile: Sendable {
    package let revision: ExportMade
    let format: ExportFormat
    let digest: SHA256Sum
    let store: any PhotoStore
    /// Whether they may go on being sent; asked for before each piece.
    var mayGoOn: @Sendable () -> Bool = { true }

    package var size: Int { revision.bytes }
    package var contentType: String { format.contentType }
    /// Without the dot.
    package var fileExtension: String { format.fileExtension }
    package var isArchive: Bool { [.dwca, .survey].contains(format) }
    /// 32 bytes.
    package var sha256: [UInt8] { digest.bytes }

    /// The bytes, or a range of them, in pieces.
    ///
    /// They end with ``ExportChunks/Ended`` once they may not be given out any more.
    /// - Throws: ``ExportRequestRejection/notReady(_:wait:)`` where they have left the store since.
    package func chunks(_ range: Range<Int>?) async throws -> ExportChunks {
        do {
            return ExportChunks(try await store.read(digest, range).chunks, while: mayGoOn)
        } catch PhotoStoreError.notFound {
            throw ExportRequestRejection.notReady(.queued)
        }
    }
}
