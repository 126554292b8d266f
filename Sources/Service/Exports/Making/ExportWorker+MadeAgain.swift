import Domain
import NIOConcurrencyHelpers
import ReadModels
import Vault

extension ExportWorker {
    /// Makes the bytes of a revision again. They are stored if they are those that it had, and may still be given out.
    func makeAgain(
        _ revision: ExportMade, _ stored: Stored<ExportState>, _ query: ExportQuery, _ job: Job,
        counting rows: NIOLockedValueBox<Int64>
    ) async throws {
        let key = CurrentRevision.Key(job.export, revision.revision)
        let moment = PublicMoment(revision.moment, of: query.day)
        try await reads.wait(BulkReader.plan, Asked(position: moment.shown))
        let start = try await watch.present()
        let order = ExportMaker.Order(
            id: job.export, query: query, requested: Instant(stored.createdAt), revision: revision.revision,
            moment: moment)
        let made = try await maker.make(order, counting: rows)
        guard made.revision.sha256 == revision.sha256 else {
            // A redaction acts backwards, so the same moment has other records.
            guard try await watch.restrictIfTouched(key) else {
                throw ExportTrouble(reason: .differentBytes)
            }
            return try await jobs.drop(job)
        }
        guard try await isCurrent(key, since: start, job) else { return }
        try await storage.put(made.path, as: made.revision.sha256, bytes: made.revision.bytes)
        // Another process may have restricted it meanwhile, and found nothing to remove.
        guard try await isCurrent(key, since: start, job) else { return try await storage.remove(revision.sha256) }
        try await jobs.drop(job)
    }

    /// Whether bytes made again may be stored. Otherwise the claim ends.
    /// - Parameter start: a moment before their records were read.
    private func isCurrent(_ key: CurrentRevision.Key, since start: PublicMoment, _ job: Job) async throws -> Bool {
        let stored: Stored<ExportState>? = try await store.load(job.export.uuid)
        guard let stored, !stored.state.restricted.contains(key.revision) else {
            try await jobs.drop(job)
            return false
        }
        switch try await watch.check(key, madeSince: start) {
        case .current: return true
        case .restricted: try await jobs.drop(job)
        case .outdated: try await jobs.postpone(job, for: .seconds(1))
        }
        return false
    }
}
