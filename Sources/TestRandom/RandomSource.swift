package import FoundationEssentials

/// Random numbers that are the same for the same seed, on every machine.
///
///     @Test(arguments: RandomSource.seeds(100))
///     func roundTrip(seed: UInt64) { var random = RandomSource(seed: seed) … }
///
/// A failure then names its seed, and `scripts/test` prints the command that runs that one alone.
///
/// - Source: SplitMix64, in Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
package struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts at a seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Seeds for a property test: those of the running tier, or the one in `SKEIN_TEST_SEED`.
    ///
    /// - Parameter count: how many continuous integration takes; `make test` takes a part, `make laws` many more.
    package static func seeds(_ count: Int) -> [UInt64] {
        SeedRange(environment: ProcessInfo.processInfo.environment).seeds(count)
    }

    /// Whether a test with this seed may ask that there was enough to compare. Another seed may draw a history in which
    /// nothing happens that matters to the test.
    package static func isFixed(_ seed: UInt64) -> Bool {
        seed < 1_000
    }
}

extension RandomSource {
    /// A whole number in a range.
    package mutating func int(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// A number in a range.
    package mutating func double(in range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }

    /// True with a probability of 1 in `count`.
    package mutating func isTrue(oneIn count: Int) -> Bool {
        Int.random(in: 1...max(1, count), using: &self) == 1
    }

    /// One of some values. There must be at least one.
    package mutating func element<Element>(of elements: some Collection<Element>) -> Element {
        let distance = Int.random(in: 0..<elements.count, using: &self)
        return elements[elements.index(elements.startIndex, offsetBy: distance)]
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// A random (version 4) UUID.
    package mutating func uuid() -> UUID {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Text that breaks careless code: quotes, separators, line ends, combining marks, emoji, right-to-left, the
    /// highest scalars; never NUL, which PostgreSQL does not store.
    package mutating func text(length: ClosedRange<Int> = 0...20) -> String {
        let troublemakers: [Unicode.Scalar] = [
            "'", "\"", "\\", ",", ";", "\t", "\r", "\n", "$", "%", "{", "<", "&", "\u{1}", "\u{7f}", "\u{a0}", "é", "ß",
            "\u{301}", "\u{200d}", "\u{202e}", "\u{feff}", "ש", "鸟", "🪶", "\u{fffd}", "\u{10ffff}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<int(in: length) {
            let letter = Unicode.Scalar(UInt8.random(in: 0x20...0x7e, using: &self))
            text.append(isTrue(oneIn: 3) ? element(of: troublemakers) : letter)
        }
        return String(text)
    }
}
