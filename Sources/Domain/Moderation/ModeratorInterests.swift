/// The regions and taxa that a moderator usually works on.
package struct ModeratorInterests: Hashable, Sendable {
    /// Empty: all, and records without one.
    package var regions: [RegionCode]
    /// With all below them; empty: all, and unidentified records.
    package var taxa: [TaxonID]

    package init(regions: [RegionCode] = [], taxa: [TaxonID] = []) {
        self.regions = regions
        self.taxa = taxa
    }
}
