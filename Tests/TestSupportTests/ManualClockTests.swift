import Foundation
import TestSupport
import Testing

struct ManualClockTests {
    @Test func `sleepers wake in order of their deadlines, and only when the clock is moved so far`() async throws {
        let clock = ManualClock()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    return seconds
                }
            }
            var woken: [Int] = []
            for left in [3, 2, 1] {
                await clock.sleepers(left)
                clock.advance(by: .seconds(1))
                woken.append(try #require(await group.next()))
            }
            #expect(woken == [1, 2, 3])
        }
    }

    @Test func `a sleep whose time has come does not wait`() async throws {
        let clock = ManualClock()
        try await clock.sleep(for: .zero)
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)), tolerance: nil)
    }

    @Test func `a cancelled task wakes with an error, before or after it fell asleep`() async {
        let clock = ManualClock()
        let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(1)
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(1)) }
            }
        }
    }

    @Test func `the date moves with the clock`() {
        let clock = ManualClock(start: Date(timeIntervalSince1970: 1_000))
        clock.advance(by: .milliseconds(1_500))
        #expect(clock.date == Date(timeIntervalSince1970: 1_001.5))
        #expect(clock.now.offset == .milliseconds(1_500))
    }
}
