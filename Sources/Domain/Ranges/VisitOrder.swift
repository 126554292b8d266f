/// The order in which a draw takes visits: anyone with SHA-256 can repeat it.
package struct VisitOrder: Sendable {
    /// The seed, which answers return.
    package let seed: String
    /// SHA-256.
    let digest: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameter sha256: the hash function, which is not part of the domain.
    package init(seed: String, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.seed = seed
        digest = sha256
    }

    /// The first visits of a draw: those with the least hashes of the text `seed/draw/visit` in UTF-8.
    func first(_ count: Int, of visits: [EffortVisit], draw: Int) -> [EffortVisit] {
        let start = Array("\(seed)/\(draw)/".utf8)
        let keyed = visits.indices.map { index in
            KeyedVisit(index: index, hash: digest(start + Array(visits[index].id.utf8)))
        }
        let ordered = keyed.sorted { one, other in
            one.hasHash(of: other) ? visits[one.index].id < visits[other.index].id : one.precedes(other)
        }
        return ordered.prefix(max(0, count)).map { visits[$0.index] }
    }
}

/// A visit and its hash. The first bytes are compared as a number: there are 199 draws of many thousand visits.
private struct KeyedVisit {
    let index: Int
    let hash: [UInt8]
    private let head: UInt64

    init(index: Int, hash: [UInt8]) {
        (self.index, self.hash) = (index, hash)
        head = (0..<8).reduce(0) { head, place in head << 8 | UInt64(place < hash.count ? hash[place] : 0) }
    }

    func hasHash(of other: Self) -> Bool {
        head == other.head && hash == other.hash
    }

    func precedes(_ other: Self) -> Bool {
        head == other.head ? hash.lexicographicallyPrecedes(other.hash) : head < other.head
    }
}
