package import Domain
import EventLog
import FoundationEssentials
import Postgres
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
    var progress: ExportJobs.Progress?
    /// Where its bytes are, if it was made.
    var bytes: Bytes

    /// Where the bytes are that are given out.
    enum Bytes: Hashable, Sendable {
        case stored
        /// They left the store, or were restricted. They are made again on request.
        case missing
        /// The same, but this program makes other ones.
        case lost
    }

    package var id: ExportID { export.id }

    package var state: State {
        switch export.status {
        case .failed: .failed
        case .cancelled: .cancelled
        case .waiting: progress?.isRunning == true ? .running : .queued
        case .made:
            switch (progress, bytes) {
            case (let progress?, _): progress.isRunning ? .running : .queued
            case (nil, .stored): .ready
            case (nil, .missing): .queued
            case (nil, .lost): .failed
            }
        }
    }

    /// Why it failed.
    package var reason: ExportFailure? {
        export.reason ?? (export.status == .made && state == .failed ? .outputVersion : nil)
    }

    /// Rows written so far, or all rows.
    package var rows: Int {
        if state == .ready, let made = export.revisions.last { return made.rows }
        return Int(progress?.rows ?? 0)
    }

    /// The revision that may be given out; nil if there is none.
    var current: ExportMade? { export.revisions.last.flatMap { isCurrent($0) ? $0 : nil } }

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
    let site: ExportSite
    let signer: CommandSigner

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
            return slice.with(try await views(of: slice.items, source.pool))
        }
    }

    private func find(_ id: ExportID, _ asked: Asked) async throws -> Shown<ExportView>? {
        let shown = try await reads.read(ExportQueries.plan, asked) { source -> ExportView? in
            guard let export = try await ExportQueries(source.pool).export(id) else { return nil }
            return try await views(of: [export], source.pool).first
        }
        return shown.value.map { Shown(value: $0, moment: shown.moment) }
    }

    func views(of exports: [ExportRow], _ pool: PostgresPool) async throws -> [ExportView] {
        let progress = try await ExportJobs(database: pool).progress(of: exports.map(\.id))
        // After the jobs: one that has ended meanwhile has stored its bytes before.
        let stored = try await ExportFiles(database: pool).stored(among: exports.compactMap(\.revisions.last?.sha256))
        return exports.map { export in
            var view = ExportView(export: export, progress: progress[export.id], bytes: .stored)
            guard export.status == .made, view.current.map({ stored.contains($0.sha256) }) != true else { return view }
            view.bytes = site.makes(export.query, signer) ? .missing : .lost
            return view
        }
    }
}
