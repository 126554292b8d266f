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
        let keyed = visits.map { visit in Keyed(hash: digest(start + Array(visit.id.utf8)), visit: visit) }
        return keyed.sorted().prefix(max(0, count)).map(\.visit)
    }

    private struct Keyed: Comparable {
        let hash: [UInt8]
        let visit: EffortVisit

        static func < (one: Self, other: Self) -> Bool {
            one.hash == other.hash ? one.visit.id < other.visit.id : one.hash.lexicographicallyPrecedes(other.hash)
        }
    }
}
