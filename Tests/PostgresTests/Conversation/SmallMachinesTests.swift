import Testing

@testable import Postgres

struct StatementCacheTests {
    @Test func `names are never used twice`() {
        var cache = StatementCache(capacity: 8)
        let key = StatementKey("SELECT 1")
        #expect(cache.use(key) == .prepare(name: "s1"))
        #expect(cache.use(key) == .prepared(name: "s1"))
        cache.forget(key, name: "s1")
        #expect(cache.use(key) == .prepare(name: "s2"))
        cache.forget(key, name: "s1")
        #expect(cache.use(key) == .prepared(name: "s2"), "an old name must not take a new statement down")
    }

    @Test func `types are a part of the statement`() {
        var cache = StatementCache(capacity: 8)
        #expect(cache.use(StatementKey("SELECT \(1)")) == .prepare(name: "s1"))
        #expect(cache.use(StatementKey("SELECT \("1")")) == .prepare(name: "s2"))
    }

    @Test func `is bounded`() {
        var cache = StatementCache(capacity: 3)
        for number in 0..<100 {
            _ = cache.use(StatementKey("SELECT 0"))
            _ = cache.use(StatementKey(SQL(unsafeText: "SELECT \(number + 1)")))
        }
        #expect(cache.count == 3)
        #expect(cache.use(StatementKey("SELECT 0")) == .prepared(name: "s1"), "what is used stays")
        var evicted = 0
        while cache.popEvicted() != nil { evicted += 1 }
        #expect(evicted == 98)
    }
}

struct SimpleMachineTests {
    private let failure = PostgresError(
        server: ServerReport(severity: "ERROR", sqlState: .syntaxError, message: ""))

    private func run(_ purpose: SimpleMachine.Purpose, _ answers: [SimpleAnswer], dataEnds: Bool = false) -> String {
        var machine = SimpleMachine(purpose)
        var last = ""
        for answer in answers {
            switch machine.receive(answer) {
            case .more: last = "more"
            case .began:
                last = "began"
                if dataEnds { machine.endData() }
            case .finished(.success(let rows)): last = "\(rows) rows"
            case .finished(.failure(let error)): last = error.sqlState?.rawValue ?? "\(error.kind)"
            case .outOfStep: return "out of step"
            }
        }
        return last
    }

    @Test func `a script has many results and one end`() {
        #expect(run(.script, [.completed(rows: 1), .completed(rows: 5), .end]) == "5 rows")
        #expect(run(.script, [.completed(rows: 1), .failure(failure), .end]) == "42601")
        #expect(run(.script, [.end]) == "0 rows")
    }

    @Test func `a copy begins flows and ends`() {
        #expect(run(.copyOut, [.copyOutBegan]) == "began")
        #expect(run(.copyOut, [.copyOutBegan, .completed(rows: 7), .end], dataEnds: true) == "7 rows")
        #expect(run(.copyIn, [.copyInBegan, .failure(failure), .end], dataEnds: true) == "42601")
        #expect(run(.copyIn, [.failure(failure), .end]) == "42601")
    }

    @Test func `what is no copy of that direction is rejected`() {
        #expect(run(.copyOut, [.completed(rows: 1), .end]) == "encoding")
        #expect(run(.copyOut, [.copyInBegan]) == "out of step")
        #expect(run(.copyIn, [.copyOutBegan]) == "out of step")
        #expect(run(.script, [.copyInBegan]) == "out of step")
        #expect(run(.script, [.unexpected]) == "out of step")
    }

    @Test func `chunks are delivered on demand only`() {
        var demand = CopyOutDemand()
        #expect(!demand.isReading)
        #expect(demand.shouldDeliver(gathered: 1 << 20, more: true) == false)
        demand.demand()
        #expect(demand.isReading)
        #expect(demand.shouldDeliver(gathered: 10, more: true) == false, "there is more to gather")
        #expect(demand.shouldDeliver(gathered: 0, more: false) == false, "a chunk is never empty")
        #expect(demand.shouldDeliver(gathered: 10, more: false) == true)
        #expect(!demand.isReading)
        demand.demand()
        #expect(demand.shouldDeliver(gathered: CopyOutDemand.chunkSize, more: true) == true)
        demand.abandon()
        demand.demand()
        #expect(demand.isReading)
        #expect(demand.shouldDeliver(gathered: 1 << 20, more: false) == false)
    }
}
