/// Measures how long each part of a round takes.
struct Stopwatch: Sendable {
    private var last = ContinuousClock.now
    /// Such as `9 s to begin`.
    private(set) var laps: [String] = []

    /// Ends a part.
    mutating func note(_ part: String) {
        let now = ContinuousClock.now
        laps.append("\(last.duration(to: now).components.seconds) s \(part)")
        last = now
    }
}
