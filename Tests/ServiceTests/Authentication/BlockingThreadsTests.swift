import Dispatch
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Service

struct BlockingThreadsTests {
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

    @Test func `so many run, so many wait, more are rejected`() async throws {
        let (threads, gate) = (BlockingThreads(2, waiting: 3), Gate())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...5 {
                group.addTask {
                    try await threads.run {
                        gate.pass(number)
                        return number
                    }
                }
            }
            try await until { threads.load == 5 && gate.order.count == 2 }
            await #expect(throws: BlockingThreads.Rejection.self) { try await threads.run {} }
            for begun in 3...5 {
                gate.open(1)
                try await until { gate.order.count == begun }
            }
            gate.open(2)
            var served: Set<Int> = []
            while let number = try await group.next() { served.insert(number) }
            #expect(served == [1, 2, 3, 4, 5])
            #expect(Set(gate.order) == served)
        }
        #expect(threads.load == 0)
    }

    @Test func `work that throws makes room for the next`() async throws {
        struct Failure: Error {}
        let threads = BlockingThreads(1, waiting: 0)
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await threads.run { throw Failure() } }
        }
        #expect(try await threads.run { 7 } == 7)
    }

    @Test func `a task cancelled while it waits does no work; one whose work has begun waits for its end`() async throws
    {
        let (threads, gate) = (BlockingThreads(1, waiting: 2), Gate())
        let running = Task { try await threads.run { gate.pass(1) } }
        try await until { gate.order == [1] }
        let waiting = Task { try await threads.run { gate.pass(2) } }
        try await until { threads.load == 2 }
        let last = Task { try await threads.run { gate.pass(3) } }
        try await until { threads.load == 3 }

        waiting.cancel()
        running.cancel()
        gate.open(2)
        try await running.value
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await last.value
        #expect(gate.order == [1, 3])
        #expect(threads.load == 0)
    }

    @Test func `a task cancelled before it asks gets no turn`() async {
        let threads = BlockingThreads(1, waiting: 1)
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) { try await threads.run {} }
            }
        }
        #expect(threads.load == 0)
    }

    /// As many pieces as there are processors, each busy until a task has run: on the threads of tasks it never could.
    @Test func `tasks go on while all the work there may be is busy`() async throws {
        let width = ProcessInfo.processInfo.activeProcessorCount
        let threads = BlockingThreads(width, waiting: 0)
        let hasRun = NIOLockedValueBox(0)
        let ends = ContinuousClock.now + .seconds(60)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<width {
                group.addTask {
                    try await threads.run {
                        hasRun.withLockedValue { $0 += 1 }
                        while hasRun.withLockedValue({ $0 }) <= width, ContinuousClock.now < ends { usleep(1_000) }
                        return hasRun.withLockedValue { $0 } > width
                    }
                }
            }
            group.addTask {
                try await until { hasRun.withLockedValue { $0 } >= width }
                hasRun.withLockedValue { $0 += 1 }
                return true
            }
            while let isInTime = try await group.next() { #expect(isInTime) }
        }
    }

    @Test func `thousands of cancelled and served tasks leave no place taken`() async {
        let threads = BlockingThreads(2, waiting: 50)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4000 {
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        inner.addTask { _ = try? await threads.run { number } }
                        if number.isMultiple(of: 3) { inner.cancelAll() }
                    }
                }
            }
        }
        #expect(threads.load == 0)
    }
}
