import TestRandom

typealias SeededGenerator = RandomSource

extension RandomSource {
    mutating func oneIn(_ times: Int) -> Bool { isTrue(oneIn: times) }
    mutating func pick<Item>(_ items: [Item]) -> Item { element(of: items) }
}
