import NIOConcurrencyHelpers
import Testing

@testable import EventLog

@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test func `a notification wakes every task that waits`() async {
        let (signal, waiting) = (Signal(), NIOLockedValueBox(0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await signal.wait {
                        waiting.withLockedValue { $0 += 1 }
                        return false
                    }
                }
            }
            while waiting.withLockedValue({ $0 }) < 3 { await Task.yield() }
            signal.notify()
            await group.waitForAll()
        }
    }

    @Test func `a change that has been made is not waited for`() async {
        let signal = Signal()
        signal.notify()
        await signal.wait { true }
    }

    @Test func `a cancelled task does not wait`() async {
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
        while !waiting.withLockedValue({ $0 }) { await Task.yield() }
        late.cancel()
        await late.value
    }
}
