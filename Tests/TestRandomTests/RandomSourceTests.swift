import Foundation
import TestRandom
import Testing

struct RandomSourceTests {
    @Test func `the sequence is SplitMix64's, as published for seed 1234567`() {
        var random = RandomSource(seed: 1_234_567)
        #expect(
            (1...3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test func `one seed, one sequence`() {
        func draw(_ seed: UInt64) -> [String] {
            var random = RandomSource(seed: seed)
            return (1...10).map { _ in "\(random.uuid()) \(random.text()) \(random.bytes(3))" }
        }
        #expect(draw(7) == draw(7))
        #expect(draw(7) != draw(8))
    }

    @Test(arguments: RandomSource.seeds(20))
    func `UUIDs are of version 4`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let text = Array(random.uuid().uuidString)
        #expect(text[14] == "4")
        #expect("89AB".contains(text[19]))
    }

    @Test(arguments: RandomSource.seeds(50))
    func `text has the length asked for and never a NUL`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let text = random.text(length: 5...9)
        #expect((5...9).contains(text.unicodeScalars.count))
        #expect(!text.unicodeScalars.contains("\0"))
    }
}
