import NIOConcurrencyHelpers
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct FairTurnsTests {
    private static let perClient = 8

    /// Holds the turn of whoever is inside until the test lets them out, and notes who was.
    private final class Door: Sendable {
        private let order = NIOLockedValueBox<[String]>([])
        private let opened = AsyncStream.makeStream(of: Void.self)

        var passed: [String] { order.withLockedValue { $0 } }

        func pass(_ client: String) async {
            order.withLockedValue { $0.append(client) }
            for await _ in opened.stream { break }
        }

        func open(_ times: Int) { for _ in 0..<times { opened.continuation.yield() } }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func `one that comes once goes before many that have been served`() async throws {
        let (turns, door) = (FairTurns(atOnce: 1, waiting: 256), Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<70 {
                group.addTask { try await turns.take(by: "flood \(client)") { await door.pass("flood \(client)") } }
            }
            await until { turns.waiting == 69 }
            // Each has had its turn, and comes again.
            door.open(70)
            try await group.waitForAll()
            for client in 0..<70 {
                group.addTask { try await turns.take(by: "flood \(client)") { await door.pass("flood \(client)") } }
            }
            await until { turns.waiting == 69 }
            group.addTask { try await turns.take(by: "clean") { await door.pass("clean") } }
            await until { turns.waiting == 70 }
            door.open(71)
            try await group.waitForAll()
        }
        #expect(door.passed.count == 141 && door.passed[71] == "clean")
    }

    @Test func `a client waits with a few, and a full queue makes room for one that has had fewer turns`() async throws
    {
        let (turns, door) = (FairTurns(atOnce: 1, waiting: Self.perClient, perClient: Self.perClient), Door())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0...Self.perClient {
                group.addTask {
                    do {
                        try await turns.take(by: "flood") { await door.pass("flood") }
                        return true
                    } catch is FairTurns.Full {
                        return false
                    }
                }
            }
            await until { turns.waiting == Self.perClient }
            await #expect(throws: FairTurns.Full.self) { try await turns.take(by: "flood") {} }
            group.addTask {
                try await turns.take(by: "clean") { await door.pass("clean") }
                return true
            }
            // One of the flood was rejected in its favour.
            #expect(try await group.next() == false)
            door.open(Self.perClient + 1)
            for try await served in group { #expect(served) }
        }
        #expect(door.passed.prefix(2) == ["flood", "clean"])
    }

    @Test func `a client has no second task running while another one waits`() async throws {
        let (turns, door, own) = (FairTurns(atOnce: 2, waiting: 8), Door(), Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ client: String, _ door: Door) {
                group.addTask { try await turns.take(by: client) { await door.pass(client) } }
            }
            // The clean client has more turns than the flood will have.
            door.open(3)
            for _ in 0..<3 {
                add("clean", door)
                try await group.next()
            }
            add("other", own)
            await until { own.passed.count == 1 }
            for waiting in 0...1 {
                add("flood", door)
                await until { turns.waiting == waiting && door.passed.count == 4 }
            }
            add("clean", door)
            await until { turns.waiting == 2 }
            own.open(1)
            await until { door.passed.count == 5 }
            door.open(3)
            try await group.waitForAll()
        }
        #expect(door.passed == ["clean", "clean", "clean", "flood", "clean", "flood"])
    }

    @Test func `one that is cancelled waits no longer, and the next goes on`() async throws {
        let (turns, door) = (FairTurns(atOnce: 1, waiting: 8), Door())
        let first = Task { try await turns.take(by: "a") { await door.pass("a") } }
        await until { door.passed.count == 1 }
        let second = Task { try await turns.take(by: "b") { await door.pass("b") } }
        await until { turns.waiting == 1 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(turns.waiting == 0)
        door.open(1)
        try await first.value
        try await turns.take(by: "c") {}
    }
}
