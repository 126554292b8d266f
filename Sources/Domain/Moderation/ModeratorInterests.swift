/// The regions and taxa that a moderator usually works on.
package struct ModeratorInterests: Hashable, Sendable {
    /// Empty means all, and records without a region.
    package var regions: [RegionCode]
    /// With their descendants; empty means all, and unidentified records.
    package var taxa: [TaxonID]

    package init(regions: [RegionCode] = [], taxa: [TaxonID] = []) {
        self.regions = regions
        self.taxa = taxa
    }
}
