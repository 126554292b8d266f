/// What an appender did since it started.
package struct AppendStatistics: Sendable {
    package var batches = 0
    package var commands = 0
    package var events = 0
    package var repeats = 0
    package var conflicts = 0
    package var turnedAway = 0
    package var refusedBatches = 0
    package var retriedBatches = 0
    /// Time spent in successful calls.
    package var time: Duration = .zero

    package init() {}

    mutating func record(
        _ outcomes: [Result<AppendReceipt, AppendError>], batch: [AppendCommand], took: Duration
    ) {
        batches += 1
        commands += batch.count
        time += took
        for (outcome, command) in zip(outcomes, batch) {
            switch outcome {
            case .success(let receipt) where receipt.isRepeat: repeats += 1
            case .success: events += command.events.count
            case .failure: conflicts += 1
            }
        }
    }
}
