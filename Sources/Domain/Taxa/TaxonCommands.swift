/// What may be asked of a taxon. A command that says what is known already changes nothing.
package enum TaxonCommand: Equatable, Sendable {
    case add(TaxonAdded)
    case name(TaxonNamed)
    case addSynonym(TaxonSynonymAdded)
    /// Puts the taxon, whose own id comes first, below another parent.
    case move(TaxonID, to: TaxonID?)
    case describe(TaxonDescribed)
    case setSensitivity(TaxonSensitivitySet)
}
