import Foundation
import TestRandom
import TestSupport
import Testing

@testable import PhotoStore

/// Whether photos find altered copies of each other, and nothing else.
struct LikenessTests {
    /// What is compared of a picture.
    private struct Hashes: Sendable {
        let stored: [LikenessHash]
        let sought: [LikenessHash]

        init(_ picture: AlteredPicture) {
            let grey = picture.grey
            (stored, sought) = (PictureFrames.stored(grey), PictureFrames.sought(grey))
        }

        /// The fewest bits in which this later picture's parts and an earlier picture's stored hashes differ.
        /// - Parameter byKey: only hashes that a look-up compares.
        func distance(from earlier: Hashes, byKey: Bool = true) -> Int {
            var least = 256
            for stored in earlier.stored {
                for part in sought where !byKey || part.finds(stored) {
                    least = min(least, part.distance(from: stored))
                }
            }
            return least
        }
    }

    /// Real photos of twenty things.
    private static let real = [
        "gps/DSCN0010.jpg", "gps/DSCN0012.jpg", "gps/DSCN0021.jpg", "gps/DSCN0025.jpg", "gps/DSCN0027.jpg",
        "gps/DSCN0029.jpg", "gps/DSCN0038.jpg", "gps/DSCN0040.jpg", "gps/DSCN0042.jpg", "birds/blackbird.png",
        "birds/crow.png", "birds/heron_greatblue.png", "birds/holm_oak.png", "birds/owl.png", "birds/pelican.png",
        "orientation/landscape_1.jpg", "orientation/portrait_1.jpg", "robustness/flower.jpg",
        "robustness/flower2.webp", "robustness/exif_gps_typeerror.jpg",
    ]

    private static func made() -> [AlteredPicture] {
        RandomSource.seeds(6).map { seed in
            var random = RandomSource(seed: seed)
            return AlteredPicture.made(&random)
        }
    }

    @Test(arguments: AlteredPicture.alterations)
    func `a made picture finds its altered copy, and the copy finds it`(_ alteration: AlteredPicture.Alteration) {
        for picture in Self.made() {
            let (original, copy) = (Hashes(picture), Hashes(alteration.apply(picture)))
            for (later, earlier) in [(copy, original), (original, copy)] {
                #expect(later.distance(from: earlier) <= Likeness.limit)
            }
        }
    }

    @Test func `no two made pictures are alike`() {
        let hashes = Self.made().map(Hashes.init)
        for (index, one) in hashes.enumerated() {
            for other in hashes[(index + 1)...] {
                #expect(one.distance(from: other, byKey: false) > Likeness.limit)
                #expect(other.distance(from: one, byKey: false) > Likeness.limit)
            }
        }
    }

    /// The place of a bird alone does not make two pictures alike, nor does a plain wall.
    @Test func `a picture of one small thing, or of nothing, has no hash`() {
        for seed in RandomSource.seeds(40) {
            var random = RandomSource(seed: seed)
            let hashes = Hashes(.inTheSky(&random))
            #expect(hashes.stored.isEmpty && hashes.sought.isEmpty, "seed \(seed)")
        }
        let wall = Hashes(AlteredPicture(width: 320, height: 240) { Double(200 - $0 / 4 + $1 / 8) })
        #expect(wall.stored.isEmpty && wall.sought.isEmpty)
    }

    @Test(
        .enabled(if: TestData.isPresent, "\(TestData.absence)"), arguments: AlteredPicture.alterations)
    func `a real photo finds its altered copy, and the copy finds it`(
        _ alteration: AlteredPicture.Alteration
    ) throws {
        var missed = 0
        for name in Self.real {
            let picture = try AlteredPicture(PhotoFiles.path(name))
            let (original, copy) = (Hashes(picture), Hashes(alteration.apply(picture)))
            for (later, earlier) in [(copy, original), (original, copy)] {
                #expect(later.distance(from: earlier, byKey: false) <= Likeness.limit, "\(name)")
                if later.distance(from: earlier) > Likeness.limit { missed += 1 }
            }
        }
        #expect(missed <= 1, "by the first bits")
    }

    /// 380 pairs.
    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `no two real photos are alike`() throws {
        let hashes = try Self.real.map { Hashes(try AlteredPicture(PhotoFiles.path($0))) }
        for (index, one) in hashes.enumerated() {
            for (other, earlier) in hashes.enumerated() where other != index {
                #expect(
                    one.distance(from: earlier, byKey: false) > Likeness.limit,
                    "\(Self.real[index]) and \(Self.real[other])")
            }
        }
    }

    @Test(.enabled(if: TestData.isPresent, "\(TestData.absence)"))
    func `the renderer hashes what it decodes`() async throws {
        let name = "gps/DSCN0010.jpg"
        let rendered = try await PhotoFiles.withFolder {
            try await PhotoFiles.renderer().render(PhotoFiles.path(name), into: $0)
        }
        let hashes = Hashes(try AlteredPicture(PhotoFiles.path(name)))
        let sought = rendered.likeness.sought
        #expect(sought.count == hashes.sought.count)
        let stored = try #require(rendered.likeness.stored.first.flatMap { UInt64($0.prefix(16), radix: 16) })
        #expect((stored ^ hashes.stored[0].words[0]).nonzeroBitCount < 8)
        #expect(sought.allSatisfy { $0.weak.nonzeroBitCount == Likeness.weakBits && $0.weak < 1 << Likeness.keyLength })
    }
}

extension LikenessHash {
    fileprivate func distance(from other: LikenessHash) -> Int {
        zip(words, other.words).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    }

    /// Whether a look-up by the first bits finds a stored hash.
    fileprivate func finds(_ stored: LikenessHash) -> Bool {
        let differences = Int((words[0] ^ stored.words[0]) >> (64 - UInt64(Self.keyLength)))
        return differences & ~weak == 0
    }
}
