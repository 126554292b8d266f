package import Domain
import ReadModels
import Vault

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

    /// An export, and how far it is. Where its bytes are missing, they are begun to be made again, or its next
    /// revision: whoever waits until it is ready gets them.
    /// - Throws: as ``ExportReader/export(_:_:)``.
    package func view(of id: ExportID, _ asked: Asked = Asked()) async throws -> Shown<ExportView> {
        let shown = try await reader.export(id, asked)
        var view = shown.value
        guard view.export.status == .made, view.progress == nil, view.bytes != .lost else { return shown }
        // A file may have left the store without its note.
        if let current = view.current, try await storage.file(of: current, view.export.query.format) != nil {
            view.bytes = .stored
        } else if site.makes(view.export.query, signer) {
            view.bytes = .missing
            // Without room for it, the next look begins it.
            let wait = try await remake(view) ?? .seconds(ExportRequestRejection.waitForRoom)
            view.progress = ExportJobs.Progress(isRunning: false, rows: 0, secondsLeft: wait.wholeSeconds)
        } else {
            view.bytes = .lost
        }
        return Shown(value: view, moment: shown.moment)
    }

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
        guard let wait = try await remake(view) else { throw ExportRequestRejection.full }
        throw ExportRequestRejection.notReady(
            view.isUnfinished ? view.state : .queued, wait: max(view.wait, wait.wholeSeconds))
    }

    /// - Returns: as `ExportJobs.remake`.
    private func remake(_ view: ExportView) async throws -> Duration? {
        let last = view.export.revisions.last?.revision ?? 0
        let isRestricted = view.export.restricted.contains(last)
        return try await jobs.remake(view.id, after: isRestricted ? last : nil, atMost: remakes, reader.reads)
    }
}

extension Duration {
    /// Rounded up.
    fileprivate var wholeSeconds: Int { Int((self / .seconds(1)).rounded(.up)) }
}
