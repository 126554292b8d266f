import TestRandom
import Testing

@testable import Domain

struct EditDistanceTests {
    /// The definition, without any bound.
    private func slips(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var table = [[Int]](repeating: Array(0...other.count), count: one.count + 1)
        for row in 0...one.count { table[row][0] = row }
        for row in one.indices.map({ $0 + 1 }) {
            for column in other.indices.map({ $0 + 1 }) {
                let cost = one[row - 1] == other[column - 1] ? 0 : 1
                var best = min(table[row - 1][column] + 1, table[row][column - 1] + 1)
                best = min(best, table[row - 1][column - 1] + cost)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    best = min(best, table[row - 2][column - 2] + 1)
                }
                table[row][column] = best
            }
        }
        return table[one.count][other.count]
    }

    @Test func `agrees with the definition up to its bound`() {
        var random = RandomSource(seed: 7)
        func word() -> [UInt8] {
            (0..<Int.random(in: 0...8, using: &random)).map { _ in random.element(of: Array("abc".utf8)) }
        }
        for _ in 0..<3_000 {
            let (one, other, bound) = (word(), word(), Int.random(in: 1...5, using: &random))
            let expected = slips(one, other)
            let found = EditDistance.between(one[...], other[...], atMost: bound)
            #expect(found == (expected <= bound ? expected : nil))
        }
    }
}
