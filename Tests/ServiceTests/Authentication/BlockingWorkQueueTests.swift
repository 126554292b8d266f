import Dispatch
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import Service

@Suite("Work that blocks")
struct BlockingWorkQueueTests {
    /// Holds work back until a test lets it go.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let begun = NIOLockedValueBox<[Int]>([])

        var order: [Int] { begun.withLockedValue { $0 } }

        func pass(_ number: Int) {
            begun.withLockedValue { $0.append(number) }
            semaphore.wait()
        }

        func open(_ count: Int) { for _ in 0..<count { semaphore.signal() } }
    }

    private func wait(until condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test("So many run, so many wait in order, more are refused")
    func bounds() async throws {
        let (queue, gate) = (BlockingWorkQueue(label: "test", width: 2, longestQueue: 3), Gate())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...5 {
                group.addTask {
                    try await queue.run {
                        gate.pass(number)
                        return number
                    }
                }
                await wait { queue.load.running + queue.load.waiting == number }
            }
            #expect(queue.load == (2, 3))
            await #expect(throws: BlockingWorkQueue.Full.self) { try await queue.run {} }
            await wait { gate.order.count == 2 }
            #expect(Set(gate.order) == [1, 2])
            for next in 3...5 {
                gate.open(1)
                await wait { gate.order.count == next }
                #expect(gate.order.last == next)
            }
            gate.open(2)
            var served: Set<Int> = []
            while let number = try await group.next() { served.insert(number) }
            #expect(served == [1, 2, 3, 4, 5])
        }
        #expect(queue.load == (0, 0))
    }

    @Test("Work that throws makes room for the next")
    func throwing() async throws {
        struct Failure: Error {}
        let queue = BlockingWorkQueue(label: "test", width: 1, longestQueue: 0)
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await queue.run { throw Failure() } }
        }
        #expect(try await queue.run { 7 } == 7)
    }

    @Test("A cancelled task leaves the queue at once; one whose work has begun waits for its end")
    func cancellation() async throws {
        let (queue, gate) = (BlockingWorkQueue(label: "test", width: 1, longestQueue: 2), Gate())
        let running = Task { try await queue.run { gate.pass(1) } }
        await wait { queue.load.running == 1 }
        let waiting = Task { try await queue.run { gate.pass(2) } }
        await wait { queue.load.waiting == 1 }
        let last = Task { try await queue.run { gate.pass(3) } }
        await wait { queue.load.waiting == 2 }

        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(queue.load == (1, 1))
        running.cancel()
        gate.open(2)
        try await running.value
        try await last.value
        #expect(gate.order == [1, 3])
        #expect(queue.load == (0, 0))
    }

    @Test("A task cancelled before it asks gets no turn")
    func cancelledBefore() async {
        let queue = BlockingWorkQueue(label: "test", width: 1, longestQueue: 1)
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) { try await queue.run {} }
            }
        }
        #expect(queue.load == (0, 0))
    }

    /// As many pieces as there are processors, each busy until a task has run: on the threads of tasks it never could.
    @Test("Tasks go on while all the work there may be is busy")
    func apart() async throws {
        let width = ProcessInfo.processInfo.activeProcessorCount
        let queue = BlockingWorkQueue(label: "test", width: width, longestQueue: 0)
        let hasRun = NIOLockedValueBox(0)
        let ends = ContinuousClock.now + .seconds(20)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<width {
                group.addTask {
                    try await queue.run {
                        hasRun.withLockedValue { $0 += 1 }
                        while hasRun.withLockedValue({ $0 }) <= width, ContinuousClock.now < ends {}
                        return hasRun.withLockedValue { $0 } > width
                    }
                }
            }
            group.addTask {
                while hasRun.withLockedValue({ $0 }) < width, ContinuousClock.now < ends { await Task.yield() }
                hasRun.withLockedValue { $0 += 1 }
                return true
            }
            while let isInTime = try await group.next() { #expect(isInTime) }
        }
    }

    @Test("Thousands of cancelled and served tasks leave no place taken")
    func storm() async {
        let queue = BlockingWorkQueue(label: "test", width: 2, longestQueue: 50)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4000 {
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        inner.addTask { _ = try? await queue.run { number } }
                        if number.isMultiple(of: 3) { inner.cancelAll() }
                    }
                }
            }
        }
        #expect(queue.load == (0, 0))
    }
}
