import Exchange

/// The progress of an import, for display.
package struct ImportProgress: Sendable, Equatable {
    /// The phases of an import.
    package enum Phase: String, Sendable {
        /// The file is read for the first time, to find repeated rows.
        case inspecting
        /// The rows become events.
        case recording
        /// Records whose rows have vanished are withdrawn.
        case withdrawing
        /// Records whose import is undone are restored.
        case restoring
    }

    package let phase: Phase
    /// Rows, or in the last phase records, so far.
    package let rows: Int
    /// Bytes of the file that were read in this phase; in the last phase positions of the log.
    package let done: Int
    /// The value of ``done`` at the end.
    package let total: Int
    /// How long this phase has taken.
    package let elapsed: Duration

    /// 0 to 1.
    package var fraction: Double { total > 0 ? min(1, Double(done) / Double(total)) : 1 }

    /// Rows a second since the phase began.
    package var rate: Double { elapsed > .zero ? Double(rows) / (elapsed / .seconds(1)) : 0 }

    /// The time left in this phase at the same speed; nil before any progress.
    package var remaining: Duration? {
        guard fraction > 0 else { return nil }
        return elapsed * ((1 - fraction) / fraction)
    }
}

/// Called often: it must be quick.
package typealias ImportProgressHandler = @Sendable (ImportProgress) -> Void

/// Turns rows and bytes into progress, reported a few times a second.
struct ProgressMeter {
    private static let interval = Duration.milliseconds(200)

    private let phase: ImportProgress.Phase
    private let handler: ImportProgressHandler
    private let start = ContinuousClock.now
    private var lastReport = ContinuousClock.now
    private var rows = 0
    private var done = ByteProgress(consumed: 0, total: 0)
    private var untilNextLook = 0

    init(_ phase: ImportProgress.Phase, _ handler: @escaping ImportProgressHandler) {
        self.phase = phase
        self.handler = handler
    }

    mutating func add(rows: Int, done: @autoclosure () -> ByteProgress) {
        self.rows += rows
        untilNextLook -= rows
        guard untilNextLook <= 0 else { return }
        untilNextLook = 100
        self.done = done()
        let now = ContinuousClock.now
        guard lastReport.duration(to: now) >= Self.interval else { return }
        lastReport = now
        report()
    }

    /// The phase is over.
    mutating func finish() {
        done = ByteProgress(consumed: done.total, total: done.total)
        report()
    }

    private func report() {
        handler(
            ImportProgress(
                phase: phase, rows: rows, done: done.consumed, total: done.total,
                elapsed: start.duration(to: .now)))
    }
}
