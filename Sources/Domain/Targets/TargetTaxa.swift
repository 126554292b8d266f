/// The taxonomy, as far as the choice of targets needs it.
package struct TargetTaxa: Sendable {
    /// A species.
    struct Species: Sendable {
        let id: TaxonID
        let kind: TaxonKind
        let family: TaxonID?
    }

    private let entries: [TaxonID: TaxonEntry]
    private let disturbed: Set<TaxonID>
    /// No taxonomy is deeper; a cycle of parents ends here.
    private static let greatestDepth = 64

    /// - Parameter disturbed: species whose nests people must not look for in the week.
    package init(_ entries: [TaxonEntry], disturbed: Set<TaxonID> = []) {
        self.entries = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        self.disturbed = disturbed
    }

    private func lineage(of taxon: TaxonID) -> [TaxonEntry] {
        var line: [TaxonEntry] = []
        var next: TaxonID? = taxon
        while line.count < Self.greatestDepth, let id = next, let entry = entries[id] {
            line.append(entry)
            next = entry.parent
        }
        return line
    }

    /// The species that a taxon is, or is below; nil for a higher taxon.
    func species(of taxon: TaxonID) -> Species? {
        let line = lineage(of: taxon)
        guard let species = line.first(where: { $0.rank == .species }) else { return nil }
        return Species(id: species.id, kind: species.kind, family: line.first { $0.rank == .family }?.id)
    }

    /// Whether a taxon is a species that is neither sensitive, nor below a sensitive taxon, nor to be left in peace.
    package func mayBeTarget(_ taxon: TaxonID) -> Bool {
        let line = lineage(of: taxon)
        return line.first?.rank == .species && !line.contains { $0.sensitivity != nil } && !disturbed.contains(taxon)
    }
}
