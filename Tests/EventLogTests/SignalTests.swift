import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import EventLog

@Suite(.hangs)
struct SignalTests {
    @Test func `a notification wakes every task that waits`() async throws {
        let (signal, waiting) = (Signal(), NIOLockedValueBox(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await signal.wait {
                        waiting.withLockedValue { $0 += 1 }
                        return false
                    }
                }
            }
            try await until { waiting.withLockedValue { $0 } == 3 }
            signal.notify()
            try await group.waitForAll()
        }
    }

    @Test func `a change that has been made is not waited for`() async {
        let signal = Signal()
        signal.notify()
        await signal.wait { true }
    }

    @Test func `a cancelled task does not wait`() async throws {
        let signal = Signal()
        let early = Task { await signal.wait { false } }
        early.cancel()
        await early.value
        let waiting = NIOLockedValueBox(false)
        let late = Task {
            await signal.wait {
                waiting.withLockedValue { $0 = true }
                return false
            }
        }
        try await until { waiting.withLockedValue { $0 } }
        late.cancel()
        await late.value
    }
}
