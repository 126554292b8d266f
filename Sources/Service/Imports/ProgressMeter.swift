internal import Exchange

/// Turns rows and bytes into progress, reported a few times a second.
struct ProgressMeter {
    private static let interval = Duration.milliseconds(200)

    private let phase: ImportProgress.Phase
    private let handler: ImportProgressHandler
    private let start = ContinuousClock.now
    private var told = ContinuousClock.now
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
        guard told.duration(to: now) >= Self.interval else { return }
        told = now
        tell()
    }

    /// The phase is over.
    mutating func finish() {
        done = ByteProgress(consumed: done.total, total: done.total)
        tell()
    }

    private func tell() {
        handler(
            ImportProgress(
                phase: phase, rows: rows, done: done.consumed, total: done.total,
                elapsed: start.duration(to: .now)))
    }
}
