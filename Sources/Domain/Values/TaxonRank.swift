/// The ranks of the tree of taxa; a greater one is nearer to the individual.
package enum TaxonRank: String, Vocabulary, Comparable {
    case kingdom, phylum, `class`, order, suborder, family, subfamily, tribe, genus, species, subspecies

    /// The place in the order of ranks, 0 for the highest.
    package var depth: Int {
        switch self {
        case .kingdom: 0
        case .phylum: 1
        case .class: 2
        case .order: 3
        case .suborder: 4
        case .family: 5
        case .subfamily: 6
        case .tribe: 7
        case .genus: 8
        case .species: 9
        case .subspecies: 10
        }
    }

    /// Orders from the highest rank to the lowest.
    package static func < (one: Self, other: Self) -> Bool {
        one.depth < other.depth
    }
}
