import Foundation
import Logging
import NIOConcurrencyHelpers
import PhotoStore
import TestSupport
import Testing

@testable import Service

/// The steps of making an export of three records that are read one by one, after each of which a process may end.
enum ExportStep: String, CaseIterable, Sendable {
    case claimed
    /// The file is begun.
    case begun
    /// Some of the rows are written.
    case writing
    /// All rows are written and the file is closed.
    case closed
    /// The store's note of the file is made.
    case noted
    /// The bytes are in the store.
    case stored
    /// The event is in the log.
    case recorded
}

/// Ends a worker of exports at a step, or holds it there.
final class WorkerStop: Sendable {
    enum Manner: Sendable {
        case ends, stalls
    }

    private struct State {
        var task: Task<Void, any Error>?
        /// How often the disk was looked at: before the rows, with each of them, and when the file is closed.
        var looks = 0
        var isReached = false
        var isReleased = false
    }

    private let step: ExportStep
    private let manner: Manner
    private let state = NIOLockedValueBox(State())

    init(at step: ExportStep, _ manner: Manner = .ends) {
        (self.step, self.manner) = (step, manner)
    }

    var isReached: Bool { state.withLockedValue { $0.isReached } }

    /// Lets a held worker go on.
    func release() { state.withLockedValue { $0.isReleased = true } }

    /// Does a worker's work in a task of its own, which the step may end.
    func begin(_ work: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        let (known, gate) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in known {}
            try await work()
        }
        state.withLockedValue { $0.task = task }
        gate.finish()
        return task
    }

    /// Settings whose store and disk report the steps.
    func settings() -> ExportSettings {
        var settings = TestExports.settings(free: { [self] in
            look()
            return 1_000_000
        })
        settings.store = Store(stop: self, store: settings.store)
        return settings
    }

    /// A worker that reads the records one by one, and whose log reports the last step.
    func worker(_ worker: ExportWorker) -> ExportWorker {
        let maker = worker.maker
        var sizes = BulkReader.Sizes()
        sizes.batch = 1
        return ExportWorker(
            jobs: worker.jobs, store: worker.store, reads: worker.reads,
            maker: ExportMaker(
                reader: BulkReader(maker.pool, signer: worker.signer, sizes: sizes), pool: maker.pool,
                subjects: maker.subjects, signer: maker.signer, folder: maker.folder, disk: maker.disk,
                limits: maker.limits, borders: maker.borders),
            storage: worker.storage, watch: worker.watch, signer: worker.signer,
            logger: Logger(label: "stopping") { [self] _ in
                LogListener { [self] event in
                    if "\(event.message)" == "an export was made" { pass(.recorded) }
                }
            })
    }

    private func look() {
        let looks = state.withLockedValue { state in
            state.looks += 1
            return state.looks
        }
        switch looks {
        case 1: pass(.begun)
        case 2: pass(.writing)
        case 5: pass(.closed)
        default: break
        }
    }

    /// Ends the worker if this is its step.
    private func pass(_ step: ExportStep) {
        if take(step) { state.withLockedValue { $0.task }?.cancel() }
    }

    /// Ends the worker if this is its step, or holds it until it is released.
    fileprivate func reach(_ step: ExportStep) async throws {
        guard manner == .stalls else {
            pass(step)
            return try Task.checkCancellation()
        }
        if take(step) { try await until("the worker is not released") { state.withLockedValue { $0.isReleased } } }
    }

    /// Whether this is the step, for the first time.
    private func take(_ step: ExportStep) -> Bool {
        state.withLockedValue { state in
            guard step == self.step, state.task != nil, !state.isReached else { return false }
            state.isReached = true
            return true
        }
    }

    private struct Store: PhotoStore {
        let stop: WorkerStop
        let store: any PhotoStore

        func put(_ file: String, as digest: SHA256Sum) async throws {
            try await stop.reach(.noted)
            try await store.put(file, as: digest)
            try await stop.reach(.stored)
        }

        func read(_ digest: SHA256Sum, _ range: Range<Int>?) async throws -> PhotoBytes {
            try await store.read(digest, range)
        }

        func remove(_ digest: SHA256Sum, putBefore moment: Date) async throws -> Bool {
            try await store.remove(digest, putBefore: moment)
        }

        func kept() -> AsyncThrowingStream<KeptBytes, any Error> { store.kept() }
    }
}
