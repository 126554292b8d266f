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
        var text = Array("\(seed)/\(draw)/".utf8)
        let start = text.count
        // There are 199 draws of many thousand visits: their order is that of numbers, without the rest of the hash.
        let keyed = visits.indices.map { index in
            text.removeSubrange(start...)
            text.append(contentsOf: visits[index].id.utf8)
            return KeyedVisit(index: index, head: Self.head(of: digest(text)))
        }
        let ordered = keyed.sorted { one, other in
            one.head == other.head
                ? isOrdered(visits[one.index], visits[other.index], draw) : one.head < other.head
        }
        return ordered.prefix(max(0, count)).map { visits[$0.index] }
    }

    /// The order of two visits whose hashes begin alike: that of the hashes, and of the ids if these are equal.
    private func isOrdered(_ one: EffortVisit, _ other: EffortVisit, _ draw: Int) -> Bool {
        let hashes = [one, other].map { digest(Array("\(seed)/\(draw)/\($0.id)".utf8)) }
        return hashes[0] == hashes[1] ? one.id < other.id : hashes[0].lexicographicallyPrecedes(hashes[1])
    }

    /// The first eight bytes as a number.
    private static func head(of hash: [UInt8]) -> UInt64 {
        (0..<8).reduce(0) { head, place in head << 8 | UInt64(place < hash.count ? hash[place] : 0) }
    }
}

private struct KeyedVisit {
    let index: Int
    let head: UInt64
}
