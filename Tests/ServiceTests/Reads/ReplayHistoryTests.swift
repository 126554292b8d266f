import Testing

@testable import Service

struct ReplayHistoryTests {
    private let start = ContinuousClock.now

    private func history(_ ends: [Int64], span: Duration = .seconds(60)) -> ReplayHistory {
        var history = ReplayHistory(span: span)
        for (second, end) in ends.enumerated() { history.append(end, at: start + .seconds(second)) }
        return history
    }

    @Test func `the lag is the time since the primary had no more than was replayed`() {
        let history = history([100, 200, 300])
        let now = start + .seconds(2)
        #expect(history.lag(of: 300, at: now) == .zero)
        #expect(history.lag(of: 299, at: now) == .seconds(1))
        #expect(history.lag(of: 200, at: now) == .seconds(1))
        #expect(history.lag(of: 199, at: now) == .seconds(2))
    }

    @Test func `it is not known of a standby that lacks what the first sample shows`() {
        #expect(ReplayHistory(span: .seconds(60)).lag(of: 100, at: start) == nil)
        #expect(history([100]).lag(of: 99, at: start) == nil)
    }

    @Test func `an idle primary makes no lag, one that is not heard of does`() {
        let history = history([100, 100, 100])
        #expect(history.lag(of: 100, at: start + .seconds(2)) == .zero)
        #expect(history.lag(of: 100, at: start + .seconds(40)) == .seconds(38))
    }

    @Test func `what is older than the span is forgotten`() {
        let history = history([100, 200, 300, 400], span: .seconds(2))
        #expect(history.lag(of: 200, at: start + .seconds(3)) == .seconds(2))
        #expect(history.lag(of: 100, at: start + .seconds(3)) == nil)
    }
}
