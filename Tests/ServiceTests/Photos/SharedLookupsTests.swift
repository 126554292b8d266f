import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Service

@Suite struct SharedLookupsTests {
    private struct Failure: Error {}

    /// A look-up that answers when the test says so, and the keys of each.
    private final class Source: Sendable {
        let begun: AsyncStream<Set<Int>>
        private let begins: AsyncStream<Set<Int>>.Continuation
        /// Takes the answer of the look-up that is under way. Each has a stream of its own, because cancelling the
        /// task that waits for a stream ends the stream.
        private let answer = NIOLockedValueBox<AsyncStream<[Int: String]?>.Continuation?>(nil)

        init() {
            (begun, begins) = AsyncStream.makeStream()
        }

        func look(_ keys: Set<Int>) async throws -> [Int: String] {
            let (answers, answer) = AsyncStream<[Int: String]?>.makeStream()
            self.answer.withLockedValue { $0 = answer }
            begins.yield(keys)
            for await found in answers {
                guard let found else { throw Failure() }
                return found
            }
            throw CancellationError()
        }

        /// Ends the look-up that is under way; nil: with an error.
        func end(_ found: [Int: String]?) { answer.withLockedValue { _ = $0?.yield(found) } }
    }

    private let source = Source()
    private let lookups: SharedLookups<Int, String>

    init() {
        lookups = SharedLookups { [source] in try await source.look($0) }
    }

    @Test(.hangs)
    func `keys that are asked for during a look-up share the next one, which begins after they were`() async throws {
        var begun = source.begun.makeAsyncIterator()
        async let first = lookups.value(of: 1)
        #expect(await begun.next() == [1])
        let waiting = [1, 2, 2, 3].map { key in Task { try await lookups.value(of: key) } }
        try await until { lookups.waiting == waiting.count }
        source.end([1: "before"])
        #expect(try await first == "before")
        #expect(await begun.next() == [1, 2, 3])
        source.end([1: "after", 2: "b"])
        var values: [String?] = []
        for task in waiting { values.append(try await task.value) }
        #expect(values == ["after", "b", "b", nil])
    }

    @Test(.hangs)
    func `a failed look-up fails for all who share it, and for no others`() async throws {
        var begun = source.begun.makeAsyncIterator()
        let failing = Task { try await lookups.value(of: 1) }
        #expect(await begun.next() == [1])
        let next = Task { try await lookups.value(of: 2) }
        try await until { lookups.waiting == 1 }
        source.end(nil)
        await #expect(throws: Failure.self) { try await failing.value }
        #expect(await begun.next() == [2])
        source.end([2: "b"])
        #expect(try await next.value == "b")
    }

    @Test(.hangs)
    func `a caller that leaves does not end the look-up of the others`() async throws {
        var begun = source.begun.makeAsyncIterator()
        let first = Task { try await lookups.value(of: 1) }
        #expect(await begun.next() == [1])
        let leaving = Task { try await lookups.value(of: 2) }
        try await until { lookups.waiting == 1 }
        let other = Task { try await lookups.value(of: 3) }
        try await until { lookups.waiting == 2 }
        source.end([1: "a"])
        #expect(try await first.value == "a")
        #expect(await begun.next() == [2, 3])
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        #expect(await begun.next() == [3])
        source.end([3: "c"])
        #expect(try await other.value == "c")
    }
}
