/// Decides taxon commands. The caller, who knows the whole tree, checks that a parent exists and is no descendant.
package enum TaxonDecider: Decider {
    /// - Throws: ``TaxonRejection``.
    package static func decide(
        _ command: TaxonCommand, _ state: TaxonState
    ) throws(TaxonRejection) -> Decision<TaxonEvent> {
        if case .add(let addition) = command {
            return state.taxon == nil ? Decision(events: [.added(addition)]) : .nothing
        }
        guard let taxon = state.taxon else { throw .notFound }
        return Decision(events: try events(of: command, taxon))
    }

    private static func events(
        of command: TaxonCommand, _ taxon: TaxonState.Taxon
    ) throws(TaxonRejection) -> [TaxonEvent] {
        switch command {
        case .add:
            return []
        case .name(let naming):
            let isKnown = taxon.preferredName(in: naming.common.language) == naming.common.name
            return isKnown ? [] : [.named(naming)]
        case .addSynonym(let synonym):
            let isKnown = synonym.name == taxon.scientificName || taxon.synonyms.contains(synonym.name)
            return isKnown ? [] : [.synonymAdded(synonym)]
        case .move(let id, let parent):
            guard id != parent else { throw .ownParent }
            return parent == taxon.parent ? [] : [.moved(TaxonMoved(parent: parent))]
        case .describe(let description):
            let real = TaxonDescribed(
                description: description.description.real(against: taxon.description),
                link: description.link.real(against: taxon.link),
                authorship: description.authorship.real(against: taxon.authorship))
            return real.isEmpty ? [] : [.described(real)]
        case .setSensitivity(let sensitivity):
            return sensitivity == taxon.sensitivity ? [] : [.sensitivitySet(sensitivity)]
        }
    }
}

/// The commands of a taxon. A command that repeats what is recorded changes nothing.
package enum TaxonCommand: Equatable, Sendable {
    case add(TaxonAdded)
    case name(TaxonNamed)
    case addSynonym(TaxonSynonymAdded)
    /// Puts the taxon, whose own id comes first, below another parent.
    case move(TaxonID, to: TaxonID?)
    case describe(TaxonDescribed)
    case setSensitivity(TaxonSensitivitySet)
}

/// Why a taxon command is rejected.
package enum TaxonRejection: Error, Equatable, Sendable {
    /// There is no such taxon.
    case notFound
    /// A taxon cannot be its own parent.
    case ownParent
}
