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
    /// How often a claim is renewed, and so how soon a worker ends whose export was cancelled.
    var renewal: Duration = .seconds(15)

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
                    try await Task.sleep(for: renewal)
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
    func append(_ command: ExportCommand, to export: ExportID, _ name: String) async throws {
        let identity = signer.identity(
            account: UUID(bytes: []), command: name, target: export.uuid, key: UUID(), request: .empty, actor: nil)
        let _: Outcome<ExportState> = try await store.change(export.uuid, ifVersions: nil, identity) {
            try ExportDecider.decide(command, $0.state)
        }
    }
}
