package import FoundationEssentials
import NIOConcurrencyHelpers

/// A clock that moves only when a test moves it.
///
///     let clock = ManualClock()
///     async let outcome = retry(clock: clock)
///     await clock.sleepers(1)
///     clock.advance(by: .seconds(5))
package final class ManualClock: Clock, Sendable {
    /// A moment on a manual clock.
    package struct Instant: InstantProtocol, Sendable {
        /// Time since the clock was made.
        package var offset: Duration

        /// The moment that is so long after the clock was made.
        package init(offset: Duration) {
            self.offset = offset
        }

        /// A later moment.
        package func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// From this moment to another.
        package func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        package static func < (earlier: Instant, later: Instant) -> Bool {
            earlier.offset < later.offset
        }
    }

    /// The calendar time at which the clock starts.
    package let start: Date
    private let state = NIOLockedValueBox(State())

    /// A clock that starts at a date.
    package init(start: Date = Date(timeIntervalSince1970: 1_777_636_800)) {
        self.start = start
    }

    /// The clock's time.
    package var now: Instant { state.withLockedValue { $0.now } }

    /// The clock's time, in the calendar.
    package var date: Date {
        start.addingTimeInterval(now.offset / .seconds(1))
    }

    /// Any step can be made.
    package var minimumResolution: Duration { .zero }

    /// Moves the clock and wakes the sleepers that are due, the earliest first.
    package func advance(by duration: Duration) {
        let woken = state.withLockedValue { $0.advance(by: duration) }
        woken.forEach { $0.resume() }
    }

    /// Sleeps until the clock is moved so far.
    ///
    /// - Throws: `CancellationError`.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLockedValue { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let watchers = state.withLockedValue { state -> [CheckedContinuation<Void, Never>]? in
                    state.add(Sleeper(id: id, deadline: deadline, continuation: continuation))
                }
                guard let watchers else { return continuation.resume() }
                watchers.forEach { $0.resume() }
                // The handler may have run before there was a sleeper to wake.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Returns when at least `count` tasks sleep on this clock: only then does moving it have an effect on them.
    package func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLockedValue { $0.watch(count, continuation) }
            if isMet { continuation.resume() }
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLockedValue { $0.remove(id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}

/// A task that sleeps on a manual clock.
private struct Sleeper {
    let id: Int
    let deadline: ManualClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
}

/// The sleepers, and the tasks that wait for them.
private struct State {
    private(set) var now = ManualClock.Instant(offset: .zero)
    private var sleepers: [Sleeper] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var lastID = 0

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// The watchers that this sleeper satisfies; nil when its time has already come.
    mutating func add(_ sleeper: Sleeper) -> [CheckedContinuation<Void, Never>]? {
        guard sleeper.deadline > now else { return nil }
        sleepers.append(sleeper)
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return satisfied.map(\.continuation)
    }

    mutating func advance(by duration: Duration) -> [CheckedContinuation<Void, any Error>] {
        now = now.advanced(by: duration)
        let due = sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        sleepers.removeAll { $0.deadline <= now }
        return due.map(\.continuation)
    }

    /// Whether there are `count` sleepers already; otherwise the continuation is kept.
    mutating func watch(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard sleepers.count < count else { return true }
        watchers.append((count, continuation))
        return false
    }

    mutating func remove(_ id: Int) -> Sleeper? {
        guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
        return sleepers.remove(at: index)
    }
}
