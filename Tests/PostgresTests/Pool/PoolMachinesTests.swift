import TestRandom
import Testing

@testable import Postgres

struct ExclusiveMachineTests {
    private func grant(_ answer: ExclusiveMachine<String>.Answer) -> String {
        switch answer {
        case .granted(.connection(let name)): name
        case .granted(.open): "open"
        case .wait: "wait"
        case .full: "full"
        case .closed: "closed"
        }
    }

    @Test func `places are bounded and go round in order`() {
        var machine = ExclusiveMachine<String>(capacity: 2)
        #expect((1...4).map { grant(machine.acquire($0)) } == ["open", "open", "wait", "wait"])
        let first = machine.release("a")
        #expect(first?.waiter == 3)
        guard case .connection("a") = first?.grant else { return #expect(Bool(false)) }
        // A broken connection leaves the right to open another.
        let second = machine.release(nil)
        #expect(second?.waiter == 4)
        guard case .open = second?.grant else { return #expect(Bool(false)) }
        #expect(machine.release("a") == nil)
        #expect(machine.idleCount == 1)
        #expect(grant(machine.acquire(5)) == "a")
        #expect(machine.takenCount == 2)
    }

    @Test func `only so many wait`() {
        var machine = ExclusiveMachine<String>(capacity: 1, maximumWaiters: 2)
        #expect((1...4).map { grant(machine.acquire($0)) } == ["open", "wait", "wait", "full"])
        #expect(machine.release("a")?.waiter == 2)
        #expect(grant(machine.acquire(5)) == "wait")
    }

    @Test func `of the idle ones a near one is lent first, else the one that came back last`() {
        var machine = ExclusiveMachine<String>(capacity: 3)
        for id: WaiterID in 1...3 { _ = machine.acquire(id) }
        for name in ["far", "near", "farther"] { _ = machine.release(name) }
        #expect(grant(machine.acquire(4, preferring: { $0 == "near" })) == "near")
        #expect(grant(machine.acquire(5, preferring: { $0 == "near" })) == "farther")
        #expect(machine.idleCount == 1)
    }

    @Test func `whoever stops waiting is passed over`() {
        var machine = ExclusiveMachine<String>(capacity: 1)
        for id: WaiterID in 1...3 { _ = machine.acquire(id) }
        #expect(machine.stopWaiting(2) == true)
        #expect(machine.stopWaiting(2) == false)
        #expect(machine.release("a")?.waiter == 3)
        #expect(machine.stopWaiting(3) == false)
    }

    @Test func `a closed machine takes back without keeping`() {
        var machine = ExclusiveMachine<String>(capacity: 2)
        for id: WaiterID in 1...3 { _ = machine.acquire(id) }
        #expect(machine.release("a")?.waiter == 3)
        #expect(machine.release("b") == nil)
        let closing = machine.close()
        #expect(closing.waiters.isEmpty)
        #expect(closing.idle == ["b"])
        #expect(!machine.isDone)
        #expect(grant(machine.acquire(9)) == "closed")
        #expect(machine.release("a") == nil)
        #expect(machine.isDone)
        #expect(machine.idleCount == 0)
    }
}

struct SharedMachineTests {
    @Test func `the least loaded one is taken`() {
        var machine = SharedMachine<Int>(count: 3)
        #expect(machine.leastLoaded { $0 } == nil)
        _ = machine.connected(0, 7)
        _ = machine.connected(1, 3)
        _ = machine.connected(2, 5)
        #expect(machine.leastLoaded { $0 } == 3)
        #expect(machine.leastLoaded { $0 == 3 ? nil : $0 } == 5)
        machine.lost(1)
        #expect(machine.connections == [7, 5])
    }

    @Test func `everybody may go when one is up`() {
        var machine = SharedMachine<Int>(count: 1)
        for id: WaiterID in 1...3 { machine.wait(id) }
        #expect(machine.stopWaiting(2) == true)
        #expect(machine.connected(0, 1) == [1, 3])
        #expect(machine.waitingCount == 0)
    }
}

struct BackOffTests {
    @Test func `grows to a limit with jitter and starts over`() {
        var generator = RandomSource(seed: 1)
        var backOff = BackOff(base: .milliseconds(100), limit: .seconds(1))
        for ceiling: Duration in [
            .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1), .seconds(1),
        ] {
            let pause = backOff.next(using: &generator)
            #expect(pause <= ceiling && pause >= ceiling / 2)
        }
        for _ in 0..<100 { _ = backOff.next(using: &generator) }
        backOff.reset()
        #expect(backOff.next(using: &generator) <= .milliseconds(100))
    }
}
