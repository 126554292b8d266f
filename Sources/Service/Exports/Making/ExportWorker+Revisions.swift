import Domain
import EventLog
import Logging
import NIOConcurrencyHelpers
import ReadModels
import Vault

extension ExportWorker {
    /// Does what the state of the export asks for, and ends the claim.
    func carryOut(_ job: Job, counting rows: NIOLockedValueBox<Int64>) async throws {
        let stored: Stored<ExportState>? = try await store.load(job.export.uuid)
        guard let stored, let query = stored.state.query else { return try await jobs.drop(job) }
        switch stored.state.status {
        case .waiting:
            guard try await canMake(query, job) else { return }
            try await make(stored, query, job, counting: rows)
        case .made:
            guard let newest = stored.state.revisions.last, maker.subjects.site.makes(query, signer) else {
                return try await jobs.drop(job)
            }
            if stored.state.isRestricted {
                guard try await isDue(stored.state, job) else { return }
                return try await make(stored, query, job, counting: rows)
            }
            guard try await storage.file(of: newest, query.format) == nil else { return try await jobs.drop(job) }
            try await makeAgain(newest, stored, query, job, counting: rows)
        case .none, .failed, .cancelled, .redacted:
            try await jobs.drop(job)
        }
    }

    private func isDue(_ state: ExportState, _ job: Job) async throws -> Bool {
        let left = try await RevisionInterval.left(after: state.lastRevision, of: job.export, reads)
        guard left > .zero else { return true }
        try await jobs.postpone(job, for: left)
        return false
    }

    /// While processes are replaced one by one, an export may wait for one of a newer version.
    private func canMake(_ query: ExportQuery, _ job: Job) async throws -> Bool {
        if maker.subjects.site.makes(query, signer) { return true }
        guard query.outputVersion > ExportOutput.version else { throw ExportTrouble(reason: .outputVersion) }
        try await jobs.postpone(job, for: .seconds(10))
        return false
    }

    private func make(
        _ stored: Stored<ExportState>, _ query: ExportQuery, _ job: Job, counting rows: NIOLockedValueBox<Int64>
    ) async throws {
        let order = ExportMaker.Order(
            id: job.export, query: query, requested: Instant(stored.createdAt),
            revision: stored.state.lastRevision + 1, moment: try await moment(of: query))
        let made = try await maker.make(order, counting: rows)
        do {
            try await storage.put(made.path, as: made.revision.sha256, bytes: made.revision.bytes)
            try await append(.make(made.revision), to: job.export, "MakeExport")
        } catch {
            // In a task of its own: this one is cancelled if the renewal of the claim learns of it first.
            _ = try? await Task { try await removeIfCancelled(made.revision, job) }.value
            throw error
        }
        try await jobs.drop(job)
        logger.info(
            "an export was made",
            metadata: ["export": "\(job.export)", "rows": "\(made.revision.rows)", "bytes": "\(made.revision.bytes)"])
    }

    /// Removes the bytes of an export that was cancelled while they were stored, unless another export has the same
    /// ones: an account that cancels must not end the downloads of others.
    private func removeIfCancelled(_ revision: ExportMade, _ job: Job) async throws {
        let stored: Stored<ExportState>? = try await store.load(job.export.uuid)
        guard stored?.state.status == .cancelled else { return }
        let others = try await ExportQueries(reads.primary).currentRevisions()
        guard !others.contains(where: { $0.sha256 == revision.sha256 }) else { return }
        try await storage.remove(revision.sha256)
    }

    /// The moment of a new revision: what was known then, under the restrictions of now.
    private func moment(of query: ExportQuery) async throws -> PublicMoment {
        let asked = Asked(position: Int64(query.pin?.known ?? 0), asOf: query.day)
        let now = try await reads.source(BulkReader.plan, asked).moment
        guard query.day == nil, let pin = query.pin else { return now }
        return PublicMoment(
            known: Int64(pin.known), shown: now.shown, guarded: Int64(pin.guarded), settled: now.settled)
    }
}
