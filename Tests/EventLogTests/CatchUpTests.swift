import EventLog
import Testing

struct CatchUpTests {
    private let start = ContinuousClock.now

    /// Rounds of a rebuild that folds 1,000 positions a second, while so many events a second are appended.
    /// - Returns: the number of rounds, and what is left for the swap.
    private func rounds(
        _ catchUp: CatchUp, head: Int64, appended: Double
    ) throws(RebuildOutrun) -> (count: Int, left: Int64) {
        var (catchUp, position, now) = (catchUp, Int64(0), 0.0)
        for count in 0... {
            let head = head + Int64(now * appended)
            guard case .fold(let next) = try catchUp.next(position: position, head: head, at: start + .seconds(now))
            else { return (count, head - position) }
            now += Double(next - position) / 1_000
            position = next
        }
        return (.max, .max)
    }

    private func catchUp(batch: Int64 = 1_000_000, swapTime: Duration = .seconds(60)) -> CatchUp {
        CatchUp("seen_v1", batch: batch, swapTime: swapTime)
    }

    @Test func `an empty log has nothing to fold, a short one has one round`() throws {
        #expect(try rounds(catchUp(), head: 0, appended: 0) == (0, 0))
        #expect(try rounds(catchUp(), head: 5, appended: 0) == (1, 0))
    }

    @Test(arguments: [0, 500, 850]) func `slower appends leave the swap little, however long the log is`(
        appended: Double
    ) throws {
        let (count, left) = try rounds(catchUp(batch: 100_000), head: 5_000_000, appended: appended)
        #expect(left <= 10_000 && count >= 50)
    }

    @Test func `with faster ones the swap folds what it can in its time`() throws {
        let (count, left) = try rounds(catchUp(), head: 20_000, appended: 1_200)
        #expect(count == 3)
        #expect(left > 20_000 && left <= 60_000)
    }

    @Test func `if that is too much, the error names the rates`() throws {
        let error = #expect(throws: RebuildOutrun.self) { try rounds(catchUp(), head: 200_000, appended: 2_000) }
        #expect(error.map { Int($0.appended.rounded()) } == 2_000 && error.map { Int($0.folded.rounded()) } == 1_000)
    }

    @Test func `rounds that gain nothing count only in a row`() throws {
        var catchUp = catchUp(batch: 10, swapTime: .zero)
        var (position, head, time) = (Int64(0), Int64(1_000), start)
        for round in 0..<30 {
            #expect(try catchUp.next(position: position, head: head, at: time) == .fold(upTo: position + 10))
            (position, head, time) = (position + 10, head + (round % 3 == 2 ? 0 : 10), time + .seconds(1))
        }
    }
}
