/// The identification of a sighting: a taxon, or the possible sensitivity of a name that fits none.
package struct Identification: Hashable, Sendable {
    /// The taxon that is certain; nil for a name that fits none, and for unidentified.
    package var taxon: TaxonID?
    package var qualifier: TaxonQualifier?
    /// The most sensitive category, at the time, of the taxon, its ancestors and every named member; for a name that
    /// fits no taxon, of the taxa that it may mean.
    package var sensitivity: SensitivityCategory?

    package init(taxon: TaxonID? = nil, qualifier: TaxonQualifier? = nil, sensitivity: SensitivityCategory? = nil) {
        self.taxon = taxon
        self.qualifier = qualifier
        self.sensitivity = sensitivity
    }

    /// The identification after changes.
    init(_ changes: IdentificationChanges, over old: Identification? = nil) {
        taxon = changes.taxon.applied(to: old?.taxon)
        qualifier = changes.qualifier.applied(to: old?.qualifier)
        sensitivity = changes.sensitivity.applied(to: old?.sensitivity)
    }
}

/// The changes to an identification that an event records.
package struct IdentificationChanges: PayloadPart, Hashable {
    package var taxon: Change<TaxonID>
    package var qualifier: Change<TaxonQualifier> = .unset
    package var sensitivity: Change<SensitivityCategory> = .unset

    static let shape = Shape<Self>(
        Self.init,
        .change("taxon", \.taxon),
        .change("qualifier", \.qualifier),
        .change("sensitivity", \.sensitivity))
}

extension IdentificationChanges {
    package init() {
        self.init(taxon: .unset)
    }

    /// - Parameter isWhole: repeats what stays as it was.
    init(from old: Identification?, to new: Identification?, isWhole: Bool = false) {
        taxon = Change(from: old?.taxon, to: new?.taxon, isWhole: isWhole)
        qualifier = Change(from: old?.qualifier, to: new?.qualifier, isWhole: isWhole)
        // A category lowered since is no change of the identification. A raised one is: another name may have a more
        // sensitive member of the same taxon.
        let isRaised = SensitivityCategory.isRaised(from: old?.sensitivity, to: new?.sensitivity)
        guard isWhole || !taxon.isUnset || !qualifier.isUnset || isRaised else { return }
        sensitivity = Change(from: old?.sensitivity, to: new?.sensitivity, isWhole: isWhole)
    }
}
