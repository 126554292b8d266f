package import Domain
import EventLog
import FoundationEssentials
package import ReadModels
import Vault

/// An export, and how far it is.
package struct ExportView: Sendable {
    /// How far it is.
    package enum State: String, CaseIterable, Sendable {
        case queued, running, ready, failed, cancelled
    }

    package let export: ExportRow
    /// Of the job that makes it, or makes it again; nil if there is none.
    let progress: ExportJobs.Progress?

    package var id: ExportID { export.id }

    package var state: State {
        switch export.status {
        case .failed: .failed
        case .cancelled: .cancelled
        case .waiting: progress?.isRunning == true ? .running : .queued
        case .made: progress.map { $0.isRunning ? .running : .queued } ?? .ready
        }
    }

    /// Rows written so far, or all rows.
    package var rows: Int {
        if state == .ready, let made = export.revisions.last { return made.rows }
        return Int(progress?.rows ?? 0)
    }

    /// Whether a revision of it is the one that is returned.
    package func isCurrent(_ made: ExportMade) -> Bool {
        export.status == .made && made.revision == export.revisions.last?.revision
            && !export.restricted.contains(made.revision)
    }

    /// Seconds after which a client may look again, as long as the export is unfinished.
    package var wait: Int { max(ExportRequestRejection.wait, progress?.secondsLeft ?? 0) }

    /// Whether it will be ready without being asked for again.
    package var isUnfinished: Bool { state == .queued || state == .running }
}

/// Reads exports: any by its id, and those that an account asks for.
package struct ExportReader: Sendable {
    let reads: Reads
    let store: StreamStore

    /// An export. One that the read model lacks is waited for.
    /// - Throws: ``CommandError/notFound``, ``CommandError/gone`` where what was asked for was redacted; as
    ///   ``Reads/read(_:_:_:)``.
    package func export(_ id: ExportID, _ asked: Asked = Asked()) async throws -> Shown<ExportView> {
        if let found = try await find(id, asked) { return found }
        let stored: Stored<ExportState>? = try await store.load(id.uuid)
        guard let stored else { throw CommandError.notFound }
        guard stored.state.query != nil else { throw CommandError.gone }
        let position = max(asked.position, stored.position)
        guard let found = try await find(id, Asked(position: position, of: asked.account)) else {
            throw CommandError.gone
        }
        return found
    }

    /// The exports that an account asks for, the newest request first.
    /// - Throws: as ``Reads/read(_:_:_:)``.
    package func exports(
        of account: AccountID, _ page: ExportQueries.Page, _ asked: Asked
    ) async throws -> Shown<Slice<ExportView, MomentKey>> {
        try await reads.read(ExportQueries.plan, asked) { source in
            let slice = try await ExportQueries(source.pool).exports(of: account, page)
            let progress = try await ExportJobs(database: source.pool).progress(of: slice.items.map(\.id))
            return slice.with(slice.items.map { ExportView(export: $0, progress: progress[$0.id]) })
        }
    }

    private func find(_ id: ExportID, _ asked: Asked) async throws -> Shown<ExportView>? {
        let shown = try await reads.read(ExportQueries.plan, asked) { source -> ExportView? in
            guard let export = try await ExportQueries(source.pool).export(id) else { return nil }
            let progress = try await ExportJobs(database: source.pool).progress(of: [id])
            return ExportView(export: export, progress: progress[id])
        }
        return shown.value.map { Shown(value: $0, moment: shown.moment) }
    }
}
