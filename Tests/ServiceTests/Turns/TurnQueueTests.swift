import Testing

@testable import Service

/// A queue whose tasks and clock the test drives.
struct TurnQueueTests {
    private struct Play {
        private(set) var queue: TurnQueue
        private var now = ContinuousClock.now
        private var lastID = 0
        private var clients: [Int: String] = [:]

        init(_ limits: TurnLimits) { queue = TurnQueue(limits, at: now) }

        /// Lets tasks of a client come.
        /// - Returns: the clients of the tasks that are rejected at once.
        @discardableResult
        mutating func come(_ client: String, _ times: Int = 1, isBehind: Bool = false) -> [String] {
            var rejected: [String] = []
            for _ in 0..<times {
                lastID += 1
                clients[lastID] = client
                let waiter = TurnQueue.Waiter(id: lastID, client: client, isBehind: isBehind)
                if case .waits(let rejection?) = queue.enter(waiter, at: now) {
                    rejected.append(clients[rejection.id] ?? "")
                }
            }
            return rejected
        }

        /// Ends a task of a client after so many seconds.
        /// - Returns: the clients of the tasks that begin.
        mutating func end(_ client: String, after seconds: Double) -> [String] {
            now += .seconds(seconds)
            return queue.end(client, after: .seconds(seconds), at: now).map { clients[$0] ?? "" }
        }

        mutating func wait(_ seconds: Double) { now += .seconds(seconds) }

        /// Two seconds pass for all that wait.
        /// - Returns: the rejected clients, and whether they caused it.
        mutating func review() -> [(client: String, isOwn: Bool)] {
            queue.waiting.map(\.id).compactMap { queue.review($0) }.map {
                (clients[$0.id] ?? "", $0.isOwn)
            }
        }

        var waiting: [String] { queue.waiting.compactMap(\.client) }
    }

    @Test func `time counts, not the number of turns`() {
        var play = Play(TurnLimits(atOnce: 1, waiting: 16))
        play.come("slow")
        _ = play.end("slow", after: 10)
        for _ in 0..<9 {
            play.come("quick")
            _ = play.end("quick", after: 1)
        }
        play.come("other")
        play.come("slow")
        play.come("quick")
        #expect(play.end("other", after: 1) == ["quick"])
        #expect(play.end("quick", after: 1) == ["slow"])
    }

    @Test func `time is remembered for an hour, and not for two`() {
        for (hours, next) in [(0.99, "other"), (2.1, "slow")] {
            var play = Play(TurnLimits(atOnce: 1, waiting: 16))
            play.come("slow")
            _ = play.end("slow", after: 10)
            play.wait(hours * 3_600)
            play.come("holder")
            play.come("slow")
            play.come("other")
            #expect(play.end("holder", after: 1) == [next], "after \(hours) h")
        }
    }

    @Test func `memory is bounded, however many clients come`() {
        var history = TurnHistory(since: .now)
        for number in 0..<(3 * TurnHistory.capacity) { history.add(.seconds(1), of: "\(number)", at: .now) }
        let kept = (0..<(3 * TurnHistory.capacity)).count { history.used(by: "\($0)") > .zero }
        #expect(kept <= 2 * TurnHistory.capacity && history.used(by: "\(3 * TurnHistory.capacity - 1)") > .zero)
    }

    @Test func `unverified accounts come after verified ones, but before a second task of a client`() {
        var play = Play(TurnLimits(atOnce: 2, waiting: 16))
        play.come("new 1", isBehind: true)
        play.come("known 1")
        play.come("new 2", isBehind: true)
        play.come("known 1")
        play.come("known 2")
        #expect(play.end("new 1", after: 1) == ["known 2"])
        #expect(play.end("known 2", after: 9) == ["new 2"])
        #expect(play.end("new 2", after: 1) == ["known 1"])
    }

    @Test func `a client's third waiting task has two seconds, and burdens its own quota`() throws {
        var play = Play(TurnLimits(atOnce: 2, waiting: 16))
        #expect(play.come("flood", 7) == [])
        play.come("clean")
        let rejected = play.review()
        #expect(rejected.map(\.client) == ["flood", "flood", "flood"])
        #expect(rejected.allSatisfy { $0.isOwn })
        #expect(play.waiting == ["flood", "flood", "clean"])
    }

    @Test func `a client that comes with very many is rejected at once`() {
        var play = Play(TurnLimits(atOnce: 2, waiting: 16))
        let rejected = play.come("flood", 100)
        #expect(rejected.count == 82 && Set(rejected) == ["flood"])
        #expect(play.come("clean") == [])
    }

    @Test func `a full queue makes room by the client that has used most`() throws {
        var play = Play(TurnLimits(atOnce: 1, waiting: 4))
        play.come("busy")
        _ = play.end("busy", after: 30)
        play.come("holder")
        for client in ["busy", "a", "b", "c", "d"] { play.come(client) }
        let rejected = play.review()
        #expect(rejected.map(\.client) == ["busy"])
        #expect(rejected.allSatisfy { !$0.isOwn }, "it has no other task")
        #expect(play.waiting == ["a", "b", "c", "d"])
    }

    @Test func `a queue twice as long as it may be makes room at once`() {
        var play = Play(TurnLimits(atOnce: 1, waiting: 2))
        play.come("flood", 4)
        #expect(play.come("clean 1") == [])
        #expect(play.come("clean 2") == ["flood"])
        #expect(play.come("clean 3") == ["flood"])
        #expect(play.waiting == ["flood", "clean 1", "clean 2", "clean 3"])
    }

    @Test func `a client has only some of the places, and the others stay free for those who come`() {
        var play = Play(TurnLimits(atOnce: 4, waiting: 16, runningOfClient: 2))
        play.come("flood", 4)
        #expect(play.waiting == ["flood", "flood"])
        play.come("clean", 2)
        #expect(play.waiting == ["flood", "flood"])
        #expect(play.end("clean", after: 1) == [])
        #expect(play.end("flood", after: 1) == ["flood"])
    }
}
