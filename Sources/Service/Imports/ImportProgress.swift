/// How far an import has come, for a person who waits.
package struct ImportProgress: Sendable, Equatable {
    /// What is being done.
    package enum Phase: String, Sendable {
        /// The file is read a first time, to find rows that are there more than once.
        case inspecting
        /// The rows become events.
        case recording
        /// Records that have vanished, or that are undone, are withdrawn.
        case withdrawing
    }

    /// What is being done.
    package let phase: Phase
    /// Rows, or in the last phase records, so far.
    package let rows: Int
    /// Bytes of the file that were read in this phase; in the last phase positions of the log.
    package let done: Int
    /// What ``done`` will be in the end.
    package let total: Int
    /// How long this phase has taken.
    package let elapsed: Duration

    /// 0 to 1.
    package var fraction: Double { total > 0 ? min(1, Double(done) / Double(total)) : 1 }

    /// Rows a second since the phase began.
    package var rate: Double { elapsed > .zero ? Double(rows) / (elapsed / .seconds(1)) : 0 }

    /// How long the phase will still take at the same speed; nil before anything is known.
    package var remaining: Duration? {
        guard fraction > 0 else { return nil }
        return elapsed * ((1 - fraction) / fraction)
    }
}

/// Told of progress, often: it must be quick.
package typealias ImportProgressHandler = @Sendable (ImportProgress) -> Void
