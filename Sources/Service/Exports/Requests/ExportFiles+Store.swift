package import Domain
import Exchange
import FoundationEssentials
import PhotoStore
import ReadModels
import Vault

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
    package var isArchive: Bool { format == .dwca }
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

/// The bytes of exports: a bounded cache, from which the ones that were read least recently leave. All processes share
/// it.
struct ExportStorage: Sendable {
    let store: any PhotoStore
    let files: ExportFiles
    /// The most bytes in the store; nil for no limit.
    let most: Int?

    /// Stores a file under its SHA-256, durable on return.
    func put(_ path: String, as sha256: Fingerprint, bytes: Int) async throws {
        guard let digest = SHA256Sum(hexadecimal: sha256.text) else { throw CommandError.notFound }
        try await files.add(sha256, bytes: bytes)
        try await store.put(path, as: digest)
        // A reader that missed the bytes meanwhile may have removed the note.
        try await files.add(sha256, bytes: bytes)
    }

    /// The bytes of a revision; nil if they are not stored.
    func file(of revision: ExportMade, _ format: ExportFormat) async throws -> ExportFile? {
        guard let digest = SHA256Sum(hexadecimal: revision.sha256.text),
            try await files.read(revision.sha256)
        else { return nil }
        do {
            // An empty range finds out whether the bytes are there.
            let found = try await store.read(digest, 0..<0)
            guard found.size == revision.bytes else {
                // Otherwise the store keeps them when the right ones are put.
                try await remove(revision.sha256)
                return nil
            }
        } catch PhotoStoreError.notFound {
            try await files.removeLost(revision.sha256)
            return nil
        }
        return ExportFile(revision: revision, format: format, digest: digest, store: store)
    }

    /// Removes a file; its note last, so that a failure is found again.
    func remove(_ sha256: Fingerprint) async throws {
        if let digest = SHA256Sum(hexadecimal: sha256.text) {
            try await store.remove(digest, putBefore: .distantFuture)
        }
        try await files.remove(sha256)
    }

    /// Removes what is beyond the limit; notes last, so that a failure is found again.
    func trim() async throws {
        guard let most else { return }
        for file in try await files.beyond(most) {
            if let digest = SHA256Sum(hexadecimal: file.sha256.text) {
                try await store.remove(digest, putBefore: .distantFuture)
            }
            try await files.remove(file)
        }
    }
}

/// Returns the bytes of exports, and has those made again that are missing.
package struct ExportDownloads: Sendable {
    let reader: ExportReader
    let storage: ExportStorage
    let jobs: ExportJobs
    let watch: ExportWatch
    let site: ExportSite
    let signer: CommandSigner
    /// The most exports that may wait to be made again; nil for no limit.
    let remakes: Int?

    /// The bytes of a revision of an export. Where the newest one is restricted, the next one is begun.
    /// - Parameter number: nil for the newest revision.
    /// - Throws: ``ExportRequestRejection``, ``CommandError/notFound`` where there is no such export or revision; as
    ///   ``Reads/read(_:_:_:)``.
    package func file(of id: ExportID, revision number: Int?, _ asked: Asked = Asked()) async throws -> ExportFile {
        let view = try await reader.export(id, asked).value
        let export = view.export
        let last = export.revisions.last?.revision ?? 0
        let isRestricted = export.restricted.contains(last)
        if let number {
            guard number >= 1, number <= max(1, isRestricted ? last + 1 : last) else { throw CommandError.notFound }
            if export.restricted.contains(number) {
                throw ExportRequestRejection.restricted(id, successor: number + 1)
            }
        }
        guard export.status == .made, let newest = export.revisions.last else {
            throw ExportRequestRejection.notReady(view.state, wait: view.wait)
        }
        if isRestricted, number ?? last >= last { try await makeMissing(view) }
        let wanted = number.map { number in export.revisions.first { $0.revision == number } } ?? newest
        guard let wanted else { throw CommandError.notFound }
        let key = CurrentRevision.Key(id, wanted.revision)
        // Begun before the look: a restriction between the two ends it.
        let download = watch.watched.begin(key)
        guard try await watch.permits(key) else {
            if number == nil { try await makeMissing(view) }
            throw ExportRequestRejection.restricted(id, successor: wanted.revision + 1)
        }
        if var file = try await storage.file(of: wanted, export.query.format) {
            file.mayGoOn = { [watched = watch.watched] in watched.mayGoOn(download) }
            return file
        }
        if wanted != newest { throw CommandError.gone }
        try await makeMissing(view)
    }

    /// Has the newest revision made again, or the one after a restricted one.
    private func makeMissing(_ view: ExportView) async throws -> Never {
        guard site.makes(view.export.query, signer) else { throw ExportRequestRejection.otherOutput }
        let last = view.export.revisions.last?.revision ?? 0
        let isRestricted = view.export.restricted.contains(last)
        let wait = isRestricted ? try await RevisionInterval.left(after: last, of: view.id, reader.reads) : .zero
        guard try await jobs.remake(view.id, atMost: remakes, after: wait) else { throw ExportRequestRejection.full }
        throw ExportRequestRejection.notReady(
            view.isUnfinished ? view.state : .queued, wait: max(view.wait, Int((wait / .seconds(1)).rounded(.up))))
    }
}
