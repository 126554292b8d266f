/// What a sighting is said to be.
package struct Identification: Hashable, Sendable {
    /// The taxon: what is certain; nil for a name that fits none.
    package var taxon: TaxonID?
    /// What was said beyond it.
    package var qualifier: TaxonQualifier?
    /// The sensitivity in force for the taxon, its ancestors and every member that was named, at the time; or of what a
    /// name that fits no taxon may mean.
    package var sensitivity: SensitivityCategory?

    /// Puts an identification together.
    package init(taxon: TaxonID?, qualifier: TaxonQualifier? = nil, sensitivity: SensitivityCategory? = nil) {
        self.taxon = taxon
        self.qualifier = qualifier
        self.sensitivity = sensitivity
    }
}
