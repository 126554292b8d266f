import Logging
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import EventLog

@Suite(.hangs)
struct RepeatingTests {
    private struct Failure: Error {}

    @Test func `work begins at once, goes on after a failure, and ends with its task`() async {
        let clock = ManualClock()
        let rounds = NIOLockedValueBox(0)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let task = Task {
            await repeating(every: .seconds(60), on: clock, else: "failed", at: .debug, to: logger) {
                rounds.withLockedValue { $0 += 1 }
                throw Failure()
            }
        }
        for round in 1...3 {
            await clock.sleepers(1)
            #expect(rounds.withLockedValue { $0 } == round)
            clock.advance(by: .seconds(60))
        }
        await clock.sleepers(1)
        task.cancel()
        await task.value
        #expect(rounds.withLockedValue { $0 } == 4)
    }
}
