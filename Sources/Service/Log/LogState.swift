package import Domain
package import EventLog
import FoundationEssentials
import ReadModels

/// The state of the log and of the read models, as this process knows it.
package struct LogState: Sendable {
    /// The epoch this process appends and reads in.
    package let epoch: Int64
    /// The head when this process started.
    package let startPosition: Int64
    /// Seals the cursors of pages.
    package let cursors: DailySeal
    /// The clock of this process.
    package let now: @Sendable () -> Instant
    package let head: HeadSignal
    /// How far this process has followed each read model.
    package let progress: ModelProgress
    let reader: LogReader
    let writes: OwnWrites
    private let seal: PositionSeal

    init(
        _ origin: LogStart, reader: LogReader, head: HeadSignal, progress: ModelProgress, writes: OwnWrites,
        now: @escaping @Sendable () -> Instant
    ) {
        (epoch, startPosition) = (origin.epoch, origin.position)
        cursors = DailySeal(key: origin.key, purpose: "page cursor")
        seal = PositionSeal(key: origin.key)
        (self.reader, self.head, self.progress, self.writes, self.now) = (reader, head, progress, writes, now)
    }

    /// Epoch and head, asked of the database.
    /// - Throws: what the database throws.
    package func current() async throws -> (epoch: Int64, position: Int64) {
        let origin = try await reader.origin()
        head.announce(origin.position)
        return (origin.epoch, origin.position)
    }

    /// The last position recorded before a moment; 0 when there is none.
    func position(before moment: Instant) async throws -> Int64 {
        try await reader.position(at: Instant(microsecondsSince1970: moment.microsecondsSince1970 - 1).date)
    }

    /// The position of the account's last acknowledged write in this process; 0 when every model has it.
    package func lastWrite(of account: AccountID) -> Int64 {
        writes.position(of: account)
    }

    /// How far a read model has come, as this process knows.
    package func position(of model: String) -> Int64 {
        progress.position(of: model)
    }

    /// Whether a read model must not be read, because later restrictions may be missing or it has events that the log
    /// has lost: it has not yet reached the head that the log had when this process started, lags too far, fails, or is
    /// ahead of the log.
    package func isBehind(_ model: String) -> Bool {
        let reached = position(of: model)
        let lag = head.position - reached
        if reached < startPosition || lag > ReadModel.toleratedLag { return true }
        return switch progress.fault(of: model) {
        case .ahead: true
        case .failing: lag > 0
        case nil: false
        }
    }

    /// Waits until a read model has reached a position.
    /// - Returns: false when it had not in time.
    func wait(for position: Int64, model: String, atMost limit: Duration) async -> Bool {
        await progress.wait(for: position, model: model, atMost: limit)
    }

    /// Checks that the models of a plan may be read.
    /// - Throws: ``ModelBehind``.
    func check(_ plan: ReadPlan) throws(ModelBehind) {
        for model in plan.models where isBehind(model.name) { throw behind(head.position, model) }
    }

    /// Waits, two seconds at most, until read models have everything up to a position, for what depends on it. For one
    /// that is known to be behind by more, there is no wait.
    /// - Throws: ``ModelBehind``.
    func require(_ position: Int64, of models: [ReadModel]) async throws(ModelBehind) {
        let deadline = ContinuousClock.now + .seconds(2)
        for model in models {
            guard progress.fault(of: model.name) != .ahead else { throw behind(position, model) }
            if self.position(of: model.name) >= position { continue }
            guard !isBehind(model.name),
                await wait(for: position, model: model.name, atMost: deadline - ContinuousClock.now)
            else { throw behind(position, model) }
        }
    }

    private func behind(_ required: Int64, _ model: ReadModel) -> ModelBehind {
        ModelBehind(model, at: position(of: model.name), of: required)
    }
}

// MARK: - Sealed positions

extension LogState {
    /// The form in which a client gets a position.
    /// - Parameter epoch: that of the position; nil for the one this process appends in.
    /// - Throws: `CryptoKitError`, only when the library fails.
    package func sealed(_ position: Int64, epoch: Int64? = nil) throws -> String {
        try seal.token(position, epoch: epoch ?? self.epoch, at: now())
    }

    /// The position that a client got earlier, of any process.
    /// - Throws: `PositionSeal.Fault`; what the database throws.
    package func position(sealedAs token: String) async throws -> Int64 {
        let head = try await current()
        let position = try seal.position(token, epoch: head.epoch, at: now())
        guard position <= head.position else { throw PositionSeal.Fault.aboveHead }
        return position
    }
}
