/// The tree of taxa as columns: a taxon is its index here, and the ids are kept once.
struct TaxonTree: Sendable {
    /// A taxon's place in the columns.
    typealias Index = Int32

    private(set) var ids: [TaxonID] = []
    private(set) var ranks: [TaxonRank] = []
    private(set) var kinds: [TaxonKind] = []
    /// The most sensitive category of each taxon and its ancestors. A group whose species are all sensitive has at
    /// least the category of the least sensitive one, because its name reveals them.
    private(set) var sensitivities: [SensitivityCategory?] = []
    /// The parent's index, -1 for none.
    private var parents: [Index] = []
    private var indexes: [TaxonID: Index] = [:]
    /// No taxonomy is deeper; a cycle of parents ends here.
    private static let greatestDepth = 64

    /// Entries that repeat an id are left out.
    init(_ entries: [TaxonEntry]) {
        ids.reserveCapacity(entries.count)
        indexes.reserveCapacity(entries.count)
        for entry in entries where indexes[entry.id] == nil {
            indexes[entry.id] = Index(ids.count)
            ids.append(entry.id)
            ranks.append(entry.rank)
            kinds.append(entry.kind)
            sensitivities.append(entry.sensitivity)
        }
        parents = [Index](repeating: -1, count: ids.count)
        for entry in entries {
            guard let parent = entry.parent, let index = indexes[entry.id] else { continue }
            parents[Int(index)] = indexes[parent] ?? -1
        }
        let own = sensitivities
        sensitivities = ids.indices.map { index in
            lineage(of: Index(index)).reduce(nil) { .mostSensitive($0, own[Int($1)]) }
        }
        guardGroups()
    }

    private mutating func guardGroups() {
        var least: [Index: SensitivityCategory?] = [:]
        for index in ids.indices where ranks[index] == .species {
            for group in lineage(of: Index(index)).dropFirst() {
                let (known, own) = (least[group] ?? sensitivities[index], sensitivities[index])
                least[group] = .some(SensitivityCategory.mostSensitive(known, own) == own ? known : own)
            }
        }
        for (group, category) in least {
            sensitivities[Int(group)] = .mostSensitive(sensitivities[Int(group)], category)
        }
    }

    var count: Int { ids.count }

    func index(of id: TaxonID) -> Index? {
        indexes[id]
    }

    func parent(of index: Index) -> Index? {
        let parent = parents[Int(index)]
        return parent < 0 ? nil : parent
    }

    /// The taxon and its ancestors, from itself upwards.
    func lineage(of index: Index) -> [Index] {
        var line = [index]
        while line.count < Self.greatestDepth, let last = line.last, let parent = parent(of: last) {
            line.append(parent)
        }
        return line
    }

    /// The lowest taxon that all of these are, or are below; nil when they share none.
    func lowestCommonAncestor(of indexes: some Sequence<Index>) -> Index? {
        var common: [Index]?
        for index in indexes {
            let line = lineage(of: index)
            common = common.map { common in common.filter(line.contains) } ?? line
        }
        return common?.first
    }
}
