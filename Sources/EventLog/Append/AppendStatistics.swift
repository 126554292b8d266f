/// What an appender did since it started.
package struct AppendStatistics: Sendable {
    /// Calls that came back with an outcome for each of their commands.
    package var batches = 0
    /// Commands in those calls.
    package var commands = 0
    /// Events recorded for the first time.
    package var events = 0
    /// Commands that had been appended before.
    package var repeats = 0
    /// Commands that were answered with an error, such as another version or a reservation held elsewhere.
    package var conflicts = 0
    /// Commands turned away because the queue was full.
    package var turnedAway = 0
    /// Batches that the database refused as a whole.
    package var refusedBatches = 0
    /// Times a batch had to be sent again, after a lost connection or a passing failure.
    package var retriedBatches = 0
    /// Time spent in successful calls.
    package var time: Duration = .zero

    /// Counts from zero.
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
