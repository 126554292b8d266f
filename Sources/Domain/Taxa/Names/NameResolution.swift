/// The meaning of a typed name.
package enum NameResolution: Equatable, Sendable {
    /// One taxon.
    case match(NameMatch)
    /// Several taxa have this name.
    case ambiguous([TaxonID])
    /// No taxon has it.
    case unknown
}

/// The taxon that a typed name means.
package struct NameMatch: Equatable, Sendable {
    /// The taxon that is certain.
    package var taxon: TaxonID
    package var qualifier: TaxonQualifier?
    /// The members that a slash, a hybrid, "cf." or "aff." named.
    package var members: [TaxonID]
    /// The most sensitive category of the taxon, its ancestors, the members, and what the rest of the name may mean.
    package var sensitivity: SensitivityCategory?
    /// Whether all of the name was understood; else only its beginning, before an author or an unknown subspecies.
    package var isWhole: Bool

    package init(
        taxon: TaxonID, qualifier: TaxonQualifier? = nil, members: [TaxonID] = [],
        sensitivity: SensitivityCategory? = nil, isWhole: Bool = true
    ) {
        self.taxon = taxon
        self.qualifier = qualifier
        self.members = members
        self.sensitivity = sensitivity
        self.isWhole = isWhole
    }

    /// The part that an event records.
    package var identification: Identification {
        Identification(taxon: taxon, qualifier: qualifier, sensitivity: sensitivity)
    }
}
