/// An index in memory that finds taxa: by exact names in microseconds, by beginnings, parts and misspellings of names
/// in milliseconds.
///
/// It is built as a whole from all taxa, and rebuilt when they change. The answers depend only on the entries,
/// not on their order.
package struct TaxonNames: Sendable {
    let tree: TaxonTree
    let table: NameTable
    let words: WordIndex
    let trigrams: TrigramIndex
    let sensitive: SensitiveNames
    /// The codes of taxa that are not sensitive.
    let otherCodes: Set<[UInt8]>

    /// Builds the index. If entries share an id the first counts; parents may come before or after their children.
    package init(_ entries: [TaxonEntry]) {
        tree = TaxonTree(entries)
        table = NameTable(entries, tree)
        words = WordIndex(table)
        trigrams = TrigramIndex(table)
        otherCodes = tree.codesOfOthers(entries)
        sensitive = SensitiveNames(entries, table, tree, otherCodes: otherCodes)
    }

    /// How many taxa there are.
    package var count: Int { tree.count }

    /// A taxon as answers show it; nil for an unknown id.
    /// - Parameter language: the language of its common name.
    package func summary(of id: TaxonID, language: LanguageTag = .english) -> TaxonSummary? {
        guard let index = tree.index(of: id) else { return nil }
        let names = table.names(of: index)
        let scientific = names.first { table.source($0) == .accepted }
        let common = names.first { table.source($0) == .common(language) }
        return TaxonSummary(
            id: id, scientificName: scientific.map(table.text) ?? "", commonName: common.map(table.text),
            rank: tree.ranks[Int(index)], kind: tree.kinds[Int(index)],
            parent: tree.parent(of: index).map { tree.ids[Int($0)] })
    }

    /// The taxon and its ancestors, from itself upwards; empty for an unknown id.
    package func lineage(of id: TaxonID) -> [TaxonID] {
        tree.index(of: id).map { tree.lineage(of: $0).map { tree.ids[Int($0)] } } ?? []
    }

    /// The lowest taxon that all of these are, or are below; nil when they share none or one is unknown.
    package func lowestCommonAncestor(of ids: [TaxonID]) -> TaxonID? {
        let indexes = ids.compactMap(tree.index)
        guard indexes.count == ids.count else { return nil }
        return tree.lowestCommonAncestor(of: indexes).map { tree.ids[Int($0)] }
    }
}

/// A taxon as answers show it.
package struct TaxonSummary: Hashable, Sendable {
    package let id: TaxonID
    /// The accepted scientific name.
    package let scientificName: String
    /// The preferred common name in the requested language.
    package let commonName: String?
    package let rank: TaxonRank
    /// The group it is shown in.
    package let kind: TaxonKind
    /// The next higher taxon.
    package let parent: TaxonID?

    package init(
        id: TaxonID, scientificName: String, commonName: String?, rank: TaxonRank, kind: TaxonKind, parent: TaxonID?
    ) {
        self.id = id
        self.scientificName = scientificName
        self.commonName = commonName
        self.rank = rank
        self.kind = kind
        self.parent = parent
    }
}
