import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import Service

@Suite(.hangs)
struct FairTurnsTests {
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

    /// Timers that the test drives.
    private final class Timers: Sendable {
        private struct State {
            var now = ContinuousClock.now
            var timers: [(at: ContinuousClock.Instant, work: @Sendable () -> Void)] = []
        }

        private let state = NIOLockedValueBox(State())

        var clock: TurnClock {
            TurnClock(
                now: { self.state.withLockedValue { $0.now } },
                later: { time, work in self.state.withLockedValue { $0.timers.append(($0.now + time, work)) } })
        }

        var pending: Int { state.withLockedValue { $0.timers.count } }

        func advance(by time: Duration) {
            let due = state.withLockedValue { state in
                state.now += time
                let due = state.timers.filter { $0.at <= state.now }
                state.timers.removeAll { $0.at <= state.now }
                return due
            }
            for timer in due { timer.work() }
        }
    }

    @Test func `one that comes once goes before many that have been served`() async throws {
        let (turns, door) = (FairTurns(TurnLimits(atOnce: 1, waiting: 256)), Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<70 {
                group.addTask { try await turns.take(by: "flood \(client)") { await door.pass("flood \(client)") } }
            }
            try await until { turns.waiting == 69 }
            // Each has had its turn, and comes again.
            door.open(70)
            try await group.waitForAll()
            for client in 0..<70 {
                group.addTask { try await turns.take(by: "flood \(client)") { await door.pass("flood \(client)") } }
            }
            try await until { turns.waiting == 69 }
            group.addTask { try await turns.take(by: "clean") { await door.pass("clean") } }
            try await until { turns.waiting == 70 }
            door.open(71)
            try await group.waitForAll()
        }
        #expect(door.passed.count == 141 && door.passed[71] == "clean")
    }

    @Test func `one that waits with too many, or for too long, is rejected when its time is over`() async throws {
        let timers = Timers()
        let limits = TurnLimits(atOnce: 1, waiting: 8, longest: .seconds(5))
        let (turns, door) = (FairTurns(limits, clock: timers.clock), Door())
        try await withThrowingTaskGroup(of: (String, FairTurns.Rejection?).self) { group in
            func add(_ client: String) {
                group.addTask {
                    do {
                        try await turns.take(by: client) { await door.pass(client) }
                        return (client, nil)
                    } catch let full as FairTurns.Rejection {
                        return (client, full)
                    }
                }
            }
            for waiting in 0...3 {
                add("flood")
                try await until { timers.pending == 2 * waiting && door.passed.count == 1 }
            }
            add("clean")
            try await until { timers.pending == 8 }
            timers.advance(by: .seconds(2))
            // Two of the flood go on waiting, a third does not; the other client is not touched.
            let (client, full) = try #require(try await group.next())
            #expect(client == "flood" && full == FairTurns.Rejection(isOwn: true))
            #expect(turns.waiting == 3)
            timers.advance(by: .seconds(3))
            var rejected: [String: FairTurns.Rejection?] = [:]
            for _ in 0..<3 {
                let (client, full) = try #require(try await group.next())
                rejected[client] = full
            }
            #expect(
                rejected == ["flood": FairTurns.Rejection(isOwn: true), "clean": FairTurns.Rejection(isOwn: false)])
            door.open(1)
            try await group.waitForAll()
        }
    }

    @Test func `a photo that waits for its turn is rejected after a minute, whoever is before it`() async throws {
        let longest = try #require(PhotoService.turnLimits.longest)
        #expect(longest == .seconds(60))
        let timers = Timers()
        let (turns, door) = (FairTurns(PhotoService.turnLimits, clock: timers.clock), Door())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in ["one", "other"] {
                group.addTask { try await turns.take(by: client) { await door.pass(client) } }
            }
            try await until { door.passed.count == 2 }
            let waiting = Task { try await turns.take(by: "late") {} }
            try await until { timers.pending == 2 }
            timers.advance(by: longest - .seconds(1))
            #expect(turns.waiting == 1)
            timers.advance(by: .seconds(1))
            await #expect(throws: FairTurns.Rejection(isOwn: false)) { try await waiting.value }
            door.open(2)
            try await group.waitForAll()
        }
    }

    @Test func `a client has no second task running while another one waits`() async throws {
        let (turns, door, own) = (FairTurns(TurnLimits(atOnce: 2, waiting: 8)), Door(), Door())
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
            try await until { own.passed.count == 1 }
            for waiting in 0...1 {
                add("flood", door)
                try await until { turns.waiting == waiting && door.passed.count == 4 }
            }
            add("clean", door)
            try await until { turns.waiting == 2 }
            own.open(1)
            try await until { door.passed.count == 5 }
            door.open(3)
            try await group.waitForAll()
        }
        #expect(door.passed == ["clean", "clean", "clean", "flood", "clean", "flood"])
    }

    @Test func `one that is cancelled waits no longer, and the next goes on`() async throws {
        let (turns, door) = (FairTurns(TurnLimits(atOnce: 1, waiting: 8)), Door())
        let first = Task { try await turns.take(by: "a") { await door.pass("a") } }
        try await until { door.passed.count == 1 }
        let second = Task { try await turns.take(by: "b") { await door.pass("b") } }
        try await until { turns.waiting == 1 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(turns.waiting == 0)
        door.open(1)
        try await first.value
        try await turns.take(by: "c") {}
    }
}
