/// How a name belongs to its taxon: accepted names first, then synonyms, then common names by language.
package enum NameSource: Hashable, Comparable, Sendable {
    /// The accepted scientific name.
    case accepted
    /// Another scientific name.
    case synonym
    /// A name in a language.
    case common(LanguageTag)
}

/// All names in the order of their comparable forms: a name is its index here.
///
/// With the tree and the indexes, the 6,725 shipped names are some 6 MB, and 100,000 names some 46 MB.
struct NameTable: Sendable {
    /// A name's place in the order of names.
    typealias Index = UInt32

    /// In bytes of the comparable form; longer names are left out, because they would only slow down look-ups.
    static let longest = 255

    /// The length of the longest name, in bytes of its comparable form.
    let longestName: Int
    private let names: [TableName]
    /// The names of each comparable form.
    private let places: [[UInt8]: Range<Index>]
    /// For every taxon its names in the order in which its entry had them.
    private let ofTaxon: [[Index]]

    init(_ entries: [TaxonEntry], _ tree: TaxonTree) {
        names = Self.collect(entries, tree).sorted()
        longestName = names.reduce(0) { max($0, $1.folded.count) }
        var places: [[UInt8]: Range<Index>] = [:]
        places.reserveCapacity(names.count)
        var ofTaxon = [[Index]](repeating: [], count: tree.count)
        for (index, name) in zip(Index(0)..., names) {
            places[name.folded] = (places[name.folded]?.lowerBound ?? index)..<(index + 1)
            ofTaxon[Int(name.taxon)].append(index)
        }
        for taxon in ofTaxon.indices {
            ofTaxon[taxon].sort { [names] in names[Int($0)].order < names[Int($1)].order }
        }
        (self.places, self.ofTaxon) = (places, ofTaxon)
    }

    var count: Int { names.count }

    /// The comparable form.
    func foldedBytes(_ name: Index) -> ArraySlice<UInt8> {
        names[Int(name)].folded[...]
    }

    /// The name as it is written.
    func text(_ name: Index) -> String {
        names[Int(name)].text
    }

    func taxon(_ name: Index) -> TaxonTree.Index {
        names[Int(name)].taxon
    }

    func source(_ name: Index) -> NameSource {
        names[Int(name)].source
    }

    /// 0 for accepted names, 1 for synonyms, 2 for common names.
    func sourceRank(_ name: Index) -> Int {
        switch names[Int(name)].source {
        case .accepted: 0
        case .synonym: 1
        case .common: 2
        }
    }

    /// A taxon's names in the order in which its entry had them: accepted, common, synonyms.
    func names(of taxon: TaxonTree.Index) -> [Index] {
        ofTaxon[Int(taxon)]
    }

    /// The names whose comparable form is this one.
    func names(equalTo folded: [UInt8]) -> Range<Index> {
        places[folded] ?? 0..<0
    }

    private static func collect(_ entries: [TaxonEntry], _ tree: TaxonTree) -> [TableName] {
        var names: [TableName] = []
        var seen = Set<TaxonTree.Index>()
        for entry in entries {
            guard let taxon = tree.index(of: entry.id), seen.insert(taxon).inserted else { continue }
            var texts: [(String, NameSource)] = [(entry.scientificName, .accepted)]
            texts += entry.commonNames.map { ($0.name, .common($0.language)) }
            texts += entry.synonyms.map { ($0, .synonym) }
            for (order, (text, source)) in texts.enumerated() {
                let folded = NameFolding.fold(text)
                guard !folded.isEmpty, folded.count <= longest else { continue }
                names.append(
                    TableName(folded: folded, text: text, taxon: taxon, id: entry.id, source: source, order: order))
            }
        }
        return names
    }
}

/// A name of a taxon.
private struct TableName: Comparable, Sendable {
    /// The comparable form.
    let folded: [UInt8]
    /// The name as it is written.
    let text: String
    let taxon: TaxonTree.Index
    let id: TaxonID
    let source: NameSource
    /// Its place among the taxon's names.
    let order: Int

    /// By comparable form; equal ones by how they belong to their taxa, then by the taxa's ids.
    static func < (one: Self, other: Self) -> Bool {
        if one.folded != other.folded { return one.folded.lexicographicallyPrecedes(other.folded) }
        if one.source != other.source { return one.source < other.source }
        if one.id != other.id { return one.id < other.id }
        return one.order < other.order
    }
}
