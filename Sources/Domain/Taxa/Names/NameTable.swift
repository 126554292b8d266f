/// How a name belongs to its taxon.
package enum NameSource: Hashable, Sendable {
    /// The accepted scientific name.
    case accepted
    /// Another scientific name.
    case synonym
    /// A name in a language.
    case common(LanguageTag)
}

/// All names as columns, in the order of their comparable forms: a name is its index here.
///
/// 100,000 names are some 8 MB: the texts lie one after the other in two runs of bytes, without a string each.
struct NameTable: Sendable {
    /// A name's place in the columns, and in the order of names.
    typealias Index = UInt32

    private var folded: [UInt8] = []
    private var foldedEnds: [UInt32] = []
    private var written: [UInt8] = []
    private var writtenEnds: [UInt32] = []
    private(set) var taxa: [TaxonTree.Index] = []
    /// 0 accepted, 1 synonym, from 2 on the languages.
    private var sources: [UInt8] = []
    private var languages: [LanguageTag] = []
    /// For every taxon its names in the order in which its entry had them.
    private var ofTaxon: [Index] = []
    private var ofTaxonEnds: [UInt32] = []

    /// In bytes of the comparable form; longer names are left out, because they would only slow down look-ups.
    static let longest = 255

    init(_ entries: [TaxonEntry], _ tree: TaxonTree) {
        var names = Self.collect(entries, tree, languages: &languages)
        names.sort()
        for name in names {
            folded += name.folded
            foldedEnds.append(UInt32(folded.count))
            written += name.written.utf8
            writtenEnds.append(UInt32(written.count))
            taxa.append(name.taxon)
            sources.append(name.source)
        }
        groupByTaxon(names, taxonCount: tree.count)
    }

    private mutating func groupByTaxon(_ names: [UnsortedName], taxonCount: Int) {
        ofTaxon = names.indices.map(Index.init).sorted {
            let (one, other) = (names[Int($0)], names[Int($1)])
            return (one.taxon, one.order) < (other.taxon, other.order)
        }
        ofTaxonEnds = [UInt32](repeating: 0, count: taxonCount)
        for name in names { ofTaxonEnds[Int(name.taxon)] += 1 }
        for taxon in ofTaxonEnds.indices.dropFirst() { ofTaxonEnds[taxon] += ofTaxonEnds[taxon - 1] }
    }

    var count: Int { taxa.count }

    /// The comparable form.
    func foldedBytes(_ name: Index) -> ArraySlice<UInt8> {
        folded[(name == 0 ? 0 : Int(foldedEnds[Int(name) - 1]))..<Int(foldedEnds[Int(name)])]
    }

    /// The name as it is written.
    func text(_ name: Index) -> String {
        let start = name == 0 ? 0 : Int(writtenEnds[Int(name) - 1])
        return String(decoding: written[start..<Int(writtenEnds[Int(name)])], as: UTF8.self)
    }

    func taxon(_ name: Index) -> TaxonTree.Index {
        taxa[Int(name)]
    }

    func source(_ name: Index) -> NameSource {
        switch sources[Int(name)] {
        case 0: .accepted
        case 1: .synonym
        case let code: .common(languages[Int(code) - 2])
        }
    }

    /// 0 for accepted names, 1 for synonyms, 2 for common names.
    func sourceRank(_ name: Index) -> Int {
        min(Int(sources[Int(name)]), 2)
    }

    /// A taxon's names in the order in which its entry had them: accepted, common, synonyms.
    func names(of taxon: TaxonTree.Index) -> ArraySlice<Index> {
        ofTaxon[(taxon == 0 ? 0 : Int(ofTaxonEnds[Int(taxon) - 1]))..<Int(ofTaxonEnds[Int(taxon)])]
    }
}

/// A name on its way into the table.
private struct UnsortedName: Comparable {
    let folded: [UInt8]
    let written: String
    let taxon: TaxonTree.Index
    let id: TaxonID
    let source: UInt8
    /// Its place among the taxon's names.
    let order: Int

    /// By comparable form; equal ones by how they belong to their taxa, then by the taxa's ids.
    static func < (one: Self, other: Self) -> Bool {
        if one.folded != other.folded { return one.folded.lexicographicallyPrecedes(other.folded) }
        if one.source != other.source { return one.source < other.source }
        if one.id != other.id { return one.id < other.id }
        return one.order < other.order
    }

    static func == (one: Self, other: Self) -> Bool {
        one.id == other.id && one.order == other.order
    }
}

extension NameTable {
    private static func collect(
        _ entries: [TaxonEntry], _ tree: TaxonTree, languages: inout [LanguageTag]
    ) -> [UnsortedName] {
        languages = Set(entries.lazy.flatMap { $0.commonNames.lazy.map(\.language) }).sorted()
        // One byte holds the source of a name; no checklist has names in so many languages.
        languages = Array(languages.prefix(250))
        let codes = Dictionary(uniqueKeysWithValues: languages.enumerated().map { ($1, UInt8($0 + 2)) })
        var names: [UnsortedName] = []
        var seen = Set<TaxonTree.Index>()
        for entry in entries {
            guard let taxon = tree.index(of: entry.id), seen.insert(taxon).inserted else { continue }
            var texts: [(String, UInt8)] = [(entry.scientificName, 0)]
            texts += entry.commonNames.compactMap { common in codes[common.language].map { (common.name, $0) } }
            texts += entry.synonyms.map { ($0, 1) }
            for (order, (text, source)) in texts.enumerated() {
                let folded = NameFolding.fold(text)
                guard !folded.isEmpty, folded.count <= longest else { continue }
                names.append(
                    UnsortedName(
                        folded: folded, written: text, taxon: taxon, id: entry.id, source: source, order: order))
            }
        }
        return names
    }
}

/// Finds names that are equal to a text: open addressing over the indexes of names, four bytes a slot.
struct NameHash: Sendable {
    /// The first name of every comparable form, plus 1; 0 is an empty slot.
    private var slots: [UInt32]
    private let mask: Int

    init(_ table: NameTable) {
        var size = 16
        while size < table.count * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        mask = size - 1
        var before: ArraySlice<UInt8> = []
        for name in 0..<NameTable.Index(table.count) {
            let bytes = table.foldedBytes(name)
            // Names are in order, so equal ones are neighbours, and the first stands for all.
            guard name == 0 || bytes != before else { continue }
            before = bytes
            var slot = Self.hash(bytes) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = name + 1
        }
    }

    /// The names whose comparable form is this one.
    func names(equalTo folded: some Collection<UInt8>, in table: NameTable) -> Range<NameTable.Index> {
        var slot = Self.hash(folded) & mask
        while slots[slot] != 0 {
            let first = slots[slot] - 1
            if table.foldedBytes(first).elementsEqual(folded) {
                var end = first + 1
                while end < table.count, table.foldedBytes(end).elementsEqual(folded) { end += 1 }
                return first..<end
            }
            slot = (slot + 1) & mask
        }
        return 0..<0
    }

    /// FNV-1a, which is good for short texts.
    private static func hash(_ bytes: some Collection<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ (hash >> 32))
    }
}
