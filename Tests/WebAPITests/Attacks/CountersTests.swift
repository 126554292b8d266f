import Domain
import HTTPTypes
import JSON
import Testing

struct CountersTests {
    private func found(_ bodies: [String]) throws -> [[Int]] {
        Counters(try bodies.map { ([:], try JSONValue(parsing: Array($0.utf8))) }).found
    }

    @Test func `a number that grows with each answer is a counter`() throws {
        #expect(try found([3, 5, 9].map { #"{"position":\#($0),"limit":7}"# }) == [[3, 5, 9]])
    }

    @Test func `a moment is no counter`() throws {
        let start: Int64 = 1_780_000_000_123_456
        let moments = (0..<20 as Range<Int64>).map { Instant(microsecondsSince1970: start + $0 * 120_001) }
        #expect(try found(moments.map { #"{"recordedAt":"\#($0.text())"}"# }).isEmpty)
    }
}
