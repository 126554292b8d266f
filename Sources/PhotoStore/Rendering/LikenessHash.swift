import Bytes
import Foundation

/// A hash of 256 bits that is nearly the same for parts of pictures that look nearly the same: the signs of the lowest
/// frequencies of their brightness, the lowest first.
/// - Source: N. Krawetz, "Looks Like It" (2011): pHash, the signs of a discrete cosine transform.
struct LikenessHash: Hashable, Sendable {
    /// Rows and columns of what is transformed.
    static let size = 32
    /// Rows and columns of the frequencies whose signs are taken.
    private static let frequencies = 16

    /// 256 bits, the first one of each word its highest. The very first one, of the mean brightness, is always 0.
    let words: [UInt64]
    /// The bits among the first ``keyLength``, as a number with as many, that a small change flips most easily.
    let weak: Int

    /// The number of the first bits by which hashes are looked up.
    static let keyLength = 16
    /// How many of them may differ.
    static let weakBits = 5

    /// - Parameter samples: ``size`` times ``size`` brightnesses, row by row.
    init(_ samples: [Float]) {
        let frequencies = Self.transformed(samples)
        words = Self.words { $0 > 0 && frequencies[Self.order[$0]] > 0 }
        let keyed = Self.order.prefix(Self.keyLength).map { abs(frequencies[$0]) }
        weak = keyed.indices.dropFirst().sorted { keyed[$0] < keyed[$1] }.prefix(Self.weakBits).reduce(0) {
            $0 | 1 << (Self.keyLength - 1 - $1)
        }
    }

    private init(words: [UInt64], weak: Int) {
        (self.words, self.weak) = (words, weak)
    }

    /// The hash of the same part of the picture's mirror image: a frequency whose number is odd changes its sign.
    var mirrored: LikenessHash {
        LikenessHash(words: zip(words, Self.odd).map { $0 ^ $1 }, weak: weak)
    }

    private static let odd = words { order[$0] % frequencies % 2 == 1 }

    private static func words(_ isSet: (Int) -> Bool) -> [UInt64] {
        (0..<(order.count / 64)).map { word in
            (0..<64).reduce(0) { $0 << 1 | (isSet(word * 64 + $1) ? 1 : 0) }
        }
    }

    /// 64 hexadecimal digits.
    var text: String { Hexadecimal.digits(of: words.flatMap(\.bigEndianBytes)) }

    /// The indices of frequencies by the length of their wave, the longest first.
    private static let order = (0..<(frequencies * frequencies)).sorted {
        let (one, other) = (wave($0), wave($1))
        return (one, $0) < (other, $1)
    }

    private static func wave(_ index: Int) -> Int {
        let (row, column) = (index / frequencies, index % frequencies)
        return row * row + column * column
    }

    private static let cosines: [Float] = (0..<(frequencies * size)).map {
        let (frequency, place) = ($0 / size, $0 % size)
        return Float(cos(.pi * Double((2 * place + 1) * frequency) / Double(2 * size)))
    }

    /// The lowest frequencies of the discrete cosine transform, row by row.
    private static func transformed(_ samples: [Float]) -> [Float] {
        let cosines = Self.cosines
        var rows = [Float](repeating: 0, count: size * frequencies)
        for row in 0..<size {
            for frequency in 0..<frequencies {
                var sum: Float = 0
                for place in 0..<size { sum += samples[row * size + place] * cosines[frequency * size + place] }
                rows[row * frequencies + frequency] = sum
            }
        }
        var result = [Float](repeating: 0, count: frequencies * frequencies)
        for frequency in 0..<frequencies {
            for column in 0..<frequencies {
                var sum: Float = 0
                for place in 0..<size {
                    sum += rows[place * frequencies + column] * cosines[frequency * size + place]
                }
                result[frequency * frequencies + column] = sum
            }
        }
        return result
    }
}
