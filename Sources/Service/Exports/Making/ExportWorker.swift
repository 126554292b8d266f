import Domain
import EventLog
import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import Postgres
import ReadModels
import Vault

/// Makes requested exports, and makes those again whose bytes are missing, in every process of the service: one at a
/// time in each. If a process ends, another one takes its export over when the claim expires, a minute after its last
/// renewal.
///
/// The bytes are stored before the event says so. Where a process ends between the two, the next attempt makes the
/// export again.
package struct ExportWorker: Sendable {
    /// How long one process has an export before another one takes it over.
    static let lease: Duration = .seconds(60)
    private static let renewal: Duration = .seconds(15)
    /// Attempts before an export is given up. Those that ended with their process count, too.
    private static let attempts = 8
    /// How long an export waits after an attempt that failed.
    private static let retryDelays = RetryDelays(first: .seconds(5), times: 3, most: .seconds(300))

    let jobs: ExportJobs
    let store: StreamStore
    let reads: Reads
    let maker: ExportMaker
    let storage: ExportStorage
    let watch: ExportWatch
    let signer: CommandSigner
    let logger: Logger

    /// Another process has the export, or it was cancelled.
    private struct ClaimLost: Error {}

    /// Works until the task is cancelled.
    package func run(every interval: Duration = .seconds(1)) async {
        await repeating(every: interval, else: "exports not made", at: .error, to: logger) { try await work() }
    }

    /// Does what there is to do.
    /// - Throws: what the database throws.
    package func work() async throws {
        while let job = try await jobs.claim(for: Self.lease) {
            do {
                try await holding(job) { try await carryOut(job, counting: $0) }
            } catch {
                try await settle(job, error)
            }
            try await storage.trim()
        }
    }

    /// Runs work while its claim is renewed.
    /// - Throws: ``ClaimLost``; what the work throws.
    private func holding(
        _ job: Job, _ work: @escaping @Sendable (NIOLockedValueBox<Int64>) async throws -> Void
    ) async throws {
        let rows = NIOLockedValueBox<Int64>(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work(rows) }
            group.addTask {
                repeat {
                    try await Task.sleep(for: Self.renewal)
                } while try await jobs.renew(
                    job, rows: rows.withLockedValue(\.self), for: Self.lease)
                throw ClaimLost()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Ends an attempt that failed.
    private func settle(_ job: Job, _ error: any Error) async throws {
        switch error {
        case is ClaimLost, ExportRejection.ended:
            logger.info("an export was ended or taken over", metadata: ["export": "\(job.export)"])
            return
        case let trouble as ExportTrouble:
            return try await fail(job, trouble.reason)
        case is ModelBehind:
            return try await jobs.postpone(job, for: .seconds(5))
        default:
            break
        }
        if Task.isCancelled { throw error }
        logger.error(
            "an export could not be made",
            metadata: ["export": "\(job.export)", "error": "\(String(reflecting: error))"])
        if job.attempts >= Self.attempts { return try await fail(job, .internalError) }
        try await jobs.failed(job, retryIn: Self.retryDelays.wait(after: job.attempts))
    }

    private func fail(_ job: Job, _ reason: ExportFailure) async throws {
        guard try await jobs.renew(job, rows: job.progress, for: Self.lease) else {
            return logger.info("a failed export was taken over", metadata: ["export": "\(job.export)"])
        }
        logger.warning(
            "an export failed", metadata: ["export": "\(job.export)", "reason": "\(reason.rawValue)"])
        do {
            try await append(.fail(reason), to: job.export, "FailExport")
        } catch ExportRejection.ended {
            // It was made earlier; its bytes are made again when they are requested again.
        }
        try await jobs.drop(job)
    }

    /// The service's own command.
    private func append(_ command: ExportCommand, to export: ExportID, _ name: String) async throws {
        let identity = signer.identity(
            account: UUID(bytes: []), command: name, target: export.uuid, key: UUID(), request: .empty, actor: nil)
        let _: Outcome<ExportState> = try await store.change(export.uuid, ifVersions: nil, identity) {
            try ExportDecider.decide(command, $0.state)
        }
    }
}

// MARK: - Making

extension ExportWorker {
    private func carryOut(_ job: Job, counting rows: NIOLockedValueBox<Int64>) async throws {
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
        try await jobs.failed(job, retryIn: left)
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
        try await storage.put(made.path, as: made.revision.sha256, bytes: made.revision.bytes)
        try await append(.make(made.revision), to: job.export, "MakeExport")
        try await jobs.drop(job)
        logger.info(
            "an export was made",
            metadata: ["export": "\(job.export)", "rows": "\(made.revision.rows)", "bytes": "\(made.revision.bytes)"])
    }

    private func makeAgain(
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

    /// The moment of a new revision: what was known then, under the restrictions of now.
    private func moment(of query: ExportQuery) async throws -> PublicMoment {
        let asked = Asked(position: Int64(query.pin?.known ?? 0), asOf: query.day)
        let now = try await reads.source(BulkReader.plan, asked).moment
        guard query.day == nil, let pin = query.pin else { return now }
        return PublicMoment(
            known: Int64(pin.known), shown: now.shown, guarded: Int64(pin.guarded), settled: now.settled)
    }
}
