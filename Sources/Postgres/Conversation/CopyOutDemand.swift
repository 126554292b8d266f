/// Decides when a COPY out may be read: only while its consumer asks, so that a slow one holds the server back through
/// TCP instead of filling our memory.
struct CopyOutDemand {
    /// How much is gathered for one step of the consumer, in bytes.
    static let chunkSize = 1 << 16

    private enum State {
        /// The consumer is busy with the last chunk.
        case paused
        /// The consumer waits.
        case demanded
        /// The consumer has gone: read on and throw away, or the connection could not be used again.
        case abandoned
    }

    private var state = State.paused

    /// Whether there is a reason to read.
    var isReading: Bool { state != .paused }
    var isAbandoned: Bool { state == .abandoned }

    mutating func demand() {
        if state == .paused { state = .demanded }
    }

    mutating func abandon() {
        state = .abandoned
    }

    /// Whether `gathered` bytes are to be handed over now; `more` says whether libpq has another message ready.
    mutating func shouldDeliver(gathered: Int, more: Bool) -> Bool {
        guard state == .demanded, gathered > 0, gathered >= Self.chunkSize || !more else { return false }
        state = .paused
        return true
    }
}
