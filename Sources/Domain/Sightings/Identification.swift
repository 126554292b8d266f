/// What a sighting is said to be.
package struct Identification: Hashable, Sendable {
    /// The taxon: what is certain.
    package var taxon: TaxonID
    /// What was said beyond it.
    package var qualifier: TaxonQualifier?
    /// The sensitivity in force for the taxon, its ancestors and every member that was named, at the time.
    package var sensitivity: SensitivityCategory?

    /// Puts an identification together.
    package init(taxon: TaxonID, qualifier: TaxonQualifier? = nil, sensitivity: SensitivityCategory? = nil) {
        self.taxon = taxon
        self.qualifier = qualifier
        self.sensitivity = sensitivity
    }
}
