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
    private let kinds: Set<TaxonKind>
    private let ranks: [TaxonID: Int]
    /// The kinds of an installation that sets none.
    package static let usualKinds: Set<TaxonKind> = [.bird]
    /// No taxonomy is deeper; a cycle of parents ends here.
    private static let greatestDepth = 64

    /// - Parameters:
    ///   - disturbed: species whose nests people must not look for in the week.
    ///   - kinds: those that targets are chosen from; a plan may name any.
    ///   - ranked: species that people are glad to find, the gladdest first.
    package init(
        _ entries: [TaxonEntry], disturbed: Set<TaxonID> = [], kinds: Set<TaxonKind> = usualKinds,
        ranked: [TaxonID] = []
    ) {
        self.entries = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        (self.disturbed, self.kinds) = (disturbed, kinds)
        ranks = Dictionary(ranked.enumerated().map { ($1, $0) }) { first, _ in first }
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

    /// The place of a species among others that are equally good targets: by its rank, those without one last, by id.
    func place(of taxon: TaxonID) -> (Int, TaxonID) {
        (ranks[taxon] ?? .max, taxon)
    }

    /// Whether a taxon may be a target, and is of a kind that targets are chosen from.
    package func mayBeChosen(_ taxon: TaxonID) -> Bool {
        entries[taxon].map { kinds.contains($0.kind) } ?? false && mayBeTarget(taxon)
    }

    /// Whether a taxon is a species that is neither sensitive, nor below a sensitive taxon, nor to be left in peace.
    package func mayBeTarget(_ taxon: TaxonID) -> Bool {
        let line = lineage(of: taxon)
        return line.first?.rank == .species && !line.contains { $0.sensitivity != nil } && !disturbed.contains(taxon)
    }
}
