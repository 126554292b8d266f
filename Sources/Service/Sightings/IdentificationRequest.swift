package import Domain

/// An identification as requested, before its taxon is looked up.
package struct IdentificationRequest: Sendable {
    package var taxon: TaxonID
    package var qualifier: TaxonQualifier?
    package var remarks: Remarks?

    package init(taxon: TaxonID, qualifier: TaxonQualifier? = nil, remarks: Remarks? = nil) {
        self.taxon = taxon
        self.qualifier = qualifier
        self.remarks = remarks
    }

    /// For the fingerprint: the same for equal requests.
    var canonical: CanonicalText {
        CanonicalText(taxon.description, qualifier?.rawValue, remarks?.typed)
    }

    /// - Throws: `Faults` for a taxon that is not in the catalogue.
    func identification(in names: TaxonNames) throws(Faults) -> Identification {
        guard names.summary(of: taxon) != nil else {
            throw Faults([Fault("/taxonId", .unknownTaxon)])
        }
        return Identification(taxon: taxon, qualifier: qualifier, sensitivity: names.sensitivity(of: taxon))
    }
}
