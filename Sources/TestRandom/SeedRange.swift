/// The seeds that a run of the tests takes, by its environment.
///
/// | variable | meaning |
/// |---|---|
/// | `SKEIN_TEST_SEED` | this seed alone |
/// | `SKEIN_TEST_FIRST_SEED` | the first of consecutive seeds; 1 without it. Among several, the last is 1 |
/// | `SKEIN_TEST_BREADTH` | how many, as a percentage of what a test names, rounded up; 1 to 100,000, 100 without it |
package struct SeedRange: Hashable, Sendable {
    private let only: UInt64?
    private let first: UInt64
    private let percentage: Int

    /// Whatever is no number counts as absent.
    package init(environment: [String: String]) {
        only = environment["SKEIN_TEST_SEED"].flatMap(UInt64.init)
        first = environment["SKEIN_TEST_FIRST_SEED"].flatMap(UInt64.init) ?? 1
        percentage = min(max(environment["SKEIN_TEST_BREADTH"].flatMap(Int.init) ?? 100, 1), 100_000)
    }

    /// The seeds for a test that names a number of them.
    package func seeds(_ count: Int) -> [UInt64] {
        if let only { return [only] }
        let number = number(of: count)
        let seeds = (0..<number).map { first &+ UInt64($0) }
        return number > 1 && first != 1 ? seeds.dropLast() + [1] : seeds
    }

    /// A test that names several seeds takes two at least, so that 1 is always among them.
    private func number(of count: Int) -> Int {
        max((count * percentage + 99) / 100, min(count, 2))
    }
}
